import { fork } from "node:child_process";
import { once } from "node:events";
import { bareEnv, CliError } from "fleet-telematics/kit/command";
async function runSql(question, { signal, timeoutMs }) {
  if (signal.aborted) throw new CliError("ABORTED", "Interrupted.");
  const child = fork(new URL("./sql-program.cjs", String(import.meta.url)), {
    // The environment may hold credentials. Node 22 warns that its SQLite is experimental.
    ...{ env: bareEnv(), execArgv: ["--no-warnings"], stdio: ["ignore", "ignore", "ignore", "ipc"] },
    ...{ signal, timeout: timeoutMs, killSignal: "SIGKILL" }
  });
  child.send(question, () => void 0);
  let answer;
  child.once("message", (message) => {
    answer = message;
  });
  await once(child, "close").catch((error) => {
    throw signal.aborted ? new CliError("ABORTED", "Interrupted.") : error;
  });
  if (answer === void 0) {
    const [code, reason] = child.killed ? ["TIMEOUT", `did not end within ${timeoutMs / 1e3} s`] : ["USAGE", `needs more than ${question.memoryMb} MB of memory`];
    throw new CliError(code, `The statement ${reason} and was stopped.`, {
      hint: "Ask for less: a shorter period, a condition on an indexed column such as vehicle_id, a LIMIT."
    });
  }
  if ("results" in answer) return answer.results;
  const fault = answer.fault.replaceAll(question.path, "the copy").replace(/[.?]$/, "");
  throw new CliError("USAGE", `The statement was refused: ${fault}.`, {
    hint: "Send one SELECT, WITH or VALUES. SELECT name, sql FROM sqlite_master tells the tables and their columns."
  });
}
export {
  runSql
};
