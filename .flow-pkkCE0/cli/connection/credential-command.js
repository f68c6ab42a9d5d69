import { spawn } from "node:child_process";
import { setTimeout as realSleep } from "node:timers/promises";
import { durationText } from "../../core/durations.js";
import { sourceText } from "../config/credential-source.js";
import { CliError } from "../errors/cli-error.js";
import { childEnv } from "../io/child-env.js";
const COMMAND_MS = 3e4;
const MAX_BYTES = 65536;
async function outputOfCommand({ io, globals, service }, source) {
  const child = spawn(source.command, {
    shell: true,
    stdio: ["ignore", "pipe", "ignore"],
    env: childEnv(io.env),
    windowsHide: true
  });
  const over = new AbortController();
  const stop = () => {
    over.abort();
    child.kill();
    child.stdout.destroy();
  };
  service.onEnd(async () => stop());
  io.signal.addEventListener("abort", stop, { once: true });
  const limitMs = globals.timeout ?? COMMAND_MS;
  const sleep = io.sleep ?? ((ms, signal) => realSleep(ms, void 0, { signal }));
  const tooLate = sleep(limitMs, over.signal).then(
    () => failed(source, `did not end within ${durationText(limitMs)}`),
    () => failed(source, "was interrupted")
  );
  try {
    const result = await Promise.race([resultOf(child, source), tooLate]);
    if (result instanceof CliError) throw result;
    return result;
  } finally {
    io.signal.removeEventListener("abort", stop);
    stop();
  }
}
function resultOf(child, source) {
  return new Promise((resolve) => {
    const chunks = [];
    let size = 0;
    child.stdout.on("data", (chunk) => {
      size += chunk.length;
      if (size > MAX_BYTES) resolve(failed(source, `printed more than ${MAX_BYTES / 1024} KiB`));
      else chunks.push(chunk);
    });
    child.once("error", () => resolve(failed(source, "could not be started")));
    child.once("close", (code) => {
      if (code === 0) resolve(Buffer.concat(chunks));
      else resolve(failed(source, code === null ? "was ended" : `ended with exit code ${code}`));
    });
  });
}
function failed(source, problem) {
  return new CliError("AUTHENTICATION", `The command of ${sourceText(source)} ${problem}, so there is no password.`, {
    hint: "Run the command yourself to see what it says; it is asked for nothing and must print the password, or JSON with it."
  });
}
export {
  outputOfCommand
};
