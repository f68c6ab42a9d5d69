import { prebuiltHelp } from "./prebuilt-help.js";
import { version } from "./version.js";
const INTERRUPT_GRACE_MS = 1e3;
const INTERRUPTED = 130;
const TERMINATED = 143;
async function main(process) {
  process.stdout.on("error", (error) => {
    if (error.code === "EPIPE" && process.stdout.listenerCount("error") > 1) return;
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`error: The output could not be written: ${error.message}
`);
    process.exit(1);
  });
  const words = process.argv.slice(2);
  if (words.length === 1 && (words[0] === "--version" || words[0] === "-V")) {
    process.stdout.write(`${version}
`);
    return;
  }
  const help = prebuiltHelp(words, process.stdout.columns);
  if (help !== null) {
    process.stdout.write(help);
    return;
  }
  const interrupt = new AbortController();
  const unfinished = /* @__PURE__ */ new Set();
  const pagers = /* @__PURE__ */ new Set();
  let isTerminated = false;
  const onSignal = (signal) => {
    if (signal === "SIGINT" && pagers.size > 0) return interrupt.abort();
    const exitCode2 = signal === "SIGTERM" ? TERMINATED : INTERRUPTED;
    if (interrupt.signal.aborted) process.exit(exitCode2);
    if (signal === "SIGTERM") isTerminated = true;
    interrupt.abort();
    const end = () => process.exit(process.exitCode ?? exitCode2);
    const endWhenFinished = () => {
      if (unfinished.size === 0) return end();
      process.stderr.write(
        "Waiting for new tokens of the session, which must be stored. Interrupt again to end at once.\n"
      );
      void Promise.allSettled(unfinished).then(end);
    };
    setTimeout(endWhenFinished, INTERRUPT_GRACE_MS).unref();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  const onNothingLeft = () => {
    process.stderr.write("error: The command stopped before it was done. Please report this.\n");
    process.exitCode = 1;
  };
  process.once("beforeExit", onNothingLeft);
  const { run } = await import("./run.js");
  const exitCode = await run(words, ioOf(process, interrupt.signal, unfinished, pagers));
  process.exitCode = exitCode === INTERRUPTED && isTerminated ? TERMINATED : exitCode;
  process.removeListener("beforeExit", onNothingLeft);
  process.removeListener("SIGINT", onSignal);
  process.removeListener("SIGTERM", onSignal);
}
function ioOf(process, signal, unfinished, pagers) {
  let isStderrOpen = false;
  return {
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return process.stdout;
    },
    get stderr() {
      if (!isStderrOpen) process.stderr.on("error", () => void 0);
      isStderrOpen = true;
      return process.stderr;
    },
    env: process.env,
    signal,
    unfinished,
    pagers
  };
}
export {
  main
};
