import { spawn } from "node:child_process";
import { Socket } from "node:net";
import { isTimeLimit } from "../../core/deadline.js";
import { errorCode } from "../../core/error-code.js";
import { withTimeLimit } from "../../core/time-limit.js";
import { childEnv } from "../io/child-env.js";
import { withoutControls } from "../io/plain-text.js";
const LONGEST_MS = 5 * 6e4;
const ENDED = "the watch has ended";
const KILL_AFTER_MS = { hangs: 5e3, ends: 200 };
const OUTPUT_MS = 200;
function execReceiver({ command, env, output, timers }) {
  const inherited = childEnv(env);
  return {
    name: "exec",
    label: "--exec",
    async deliver(event, signal) {
      try {
        return await withTimeLimit(signal, LONGEST_MS, (limited) => run(event, limited), timers);
      } catch (error) {
        if (errorCode(error) !== "E2BIG") throw error;
        return { kind: "refused", reason: "its values are too long for the environment of a command (E2BIG)" };
      }
    }
  };
  function run(event, signal) {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return resolve(failed(ENDED));
      const child = spawn(command, {
        shell: true,
        stdio: ["pipe", "pipe", "pipe"],
        env: { ...inherited, ...eventVariables(event) },
        // A group of its own, so that Ctrl-C lets it finish, and what it has started can be ended with it.
        detached: process.platform !== "win32",
        windowsHide: true
      });
      child.on("error", reject);
      if (child.pid === void 0) return;
      const end = () => {
        const [reason, waitMs] = isTimeLimit(signal.reason) ? ["it took longer than 5 minutes", KILL_AFTER_MS.hangs] : [ENDED, KILL_AFTER_MS.ends];
        endGroup(child, "SIGTERM");
        timers.after(waitMs, () => {
          endGroup(child, "SIGKILL");
          resolve(failed(reason));
        });
      };
      signal.addEventListener("abort", end, { once: true });
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text) => void output.write(text));
      }
      child.stdin.on("error", () => void 0);
      child.stdin.end(`${JSON.stringify(event)}
`);
      child.once("exit", (code, by) => {
        if (signal.aborted) return;
        signal.removeEventListener("abort", end);
        const outcome = outcomeOf(code, by);
        for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref();
        const cancel = timers.after(OUTPUT_MS, () => resolve(outcome));
        child.once("close", () => {
          cancel();
          resolve(outcome);
        });
      });
    });
  }
}
function eventVariables(event) {
  return Object.fromEntries(
    Object.entries(event).map(([name, value]) => [
      `FLEET_EVENT_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
      // A line break in a name would begin another header where a value is put into a mail.
      withoutControls(String(value ?? ""))
    ])
  );
}
function failed(reason) {
  return { kind: "failed", reason, isUnwell: false, retryAfterMs: null };
}
function outcomeOf(code, by) {
  if (code === 0) return { kind: "taken" };
  return failed(code === null ? `it was ended by ${by}` : exitText(code));
}
function exitText(code) {
  if (code === 127) return "the shell finds no such program (exit code 127); check its name, or give its whole path";
  if (code === 126) return "the shell may not run it (exit code 126); make it executable with chmod +x";
  return `its exit code is ${code}`;
}
function endGroup(child, signal) {
  const { pid } = child;
  if (pid === void 0 || process.platform === "win32") {
    child.kill(signal);
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
  }
}
export {
  eventVariables,
  execReceiver
};
