import { Writable } from "node:stream";
import { canAsk, cannotAskReason } from "../context/context.js";
import { CliError } from "../errors/cli-error.js";
import { plainText } from "../io/plain-text.js";
import { unguarded } from "../io/terminal-guard.js";
async function ask(run, question) {
  try {
    return (await readAnswer(run, plainText(question), unguarded(run.io.stderr))).trim();
  } catch (error) {
    run.io.stderr.write("\n");
    throw error;
  }
}
async function askSecret(run, question) {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  run.io.stderr.write(plainText(question));
  try {
    return await readAnswer(run, "", nowhere);
  } finally {
    run.io.stderr.write("\n");
  }
}
async function choose(run, question, options, text) {
  for (const [index, option] of options.entries()) {
    run.io.stderr.write(`  ${index + 1}  ${plainText(text(option))}
`);
  }
  for (; ; ) {
    const answer = await ask(run, `${question} [1-${options.length}] `);
    const chosen = /^\d+$/.test(answer) ? options[Number(answer) - 1] : void 0;
    if (chosen !== void 0) return chosen;
    run.io.stderr.write(`Type a number from 1 to ${options.length}.
`);
  }
}
function requirePrompt(run, what, instead) {
  if (canAsk(run)) return;
  throw new CliError("USAGE", `${what} is needed, and ${cannotAskReason(run)}.`, { hint: instead });
}
async function readAnswer(run, question, output) {
  const { stdin, signal } = run.io;
  const { createInterface } = await import("node:readline");
  const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
  return new Promise((resolve, reject) => {
    const interrupted = () => reject(new CliError("ABORTED", "Interrupted."));
    signal.addEventListener("abort", interrupted, { once: true });
    lines.once("SIGINT", interrupted);
    lines.once("close", interrupted);
    lines.question(question, resolve);
  }).finally(() => {
    lines.close();
    stdin.pause();
  });
}
export {
  ask,
  askSecret,
  choose,
  requirePrompt
};
