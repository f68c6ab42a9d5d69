import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { CliError, refusal } from "../errors/cli-error.js";
import { bareEnv } from "../io/child-env.js";
async function startJq(expression, limits) {
  if (expression.trim() === "") {
    throw refusal("The expression of --jq is empty.", {
      hint: 'Write it as ".[].name".'
    });
  }
  const thread = new JqThread(limits);
  const end = () => thread.end();
  try {
    const { fault } = await thread.run("", expression);
    if (fault === null) return { apply: (json) => apply(thread, json, expression), end };
    throw refusal("jq cannot read the expression of --jq.", {
      details: linesOf(fault),
      hint: "Quote it for your shell, such as --jq '.[].name'; `man jq` describes the language."
    });
  } catch (error) {
    await end();
    throw error;
  }
}
async function apply(thread, json, expression) {
  const { results, fault } = await thread.run(json, expression);
  const text = results.map((result) => `${plain(result)}
`).join("");
  if (fault === null) return { text, failure: null };
  const isInput = fault.includes("parse error");
  const failure = isInput ? new CliError("USAGE", "This command printed no JSON that --jq could read.", { hint: "Leave out --jq." }) : new CliError("USAGE", "The expression of --jq does not fit the result.", {
    details: linesOf(fault),
    hint: "Run the command with -o json to see what the expression gets."
  });
  return { text, failure };
}
function plain(result) {
  const value = result.startsWith('"') ? JSON.parse(result) : null;
  return typeof value === "string" ? value : result;
}
const program = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { raw } = workerData.endsWith('.br') ? unpacked(workerData) : require(workerData);
  function unpacked(file) {
    // The code before its WebAssembly, the code after it, and the WebAssembly, with a zero between them.
    const bytes = require('node:zlib').brotliDecompressSync(require('node:fs').readFileSync(file));
    const middle = bytes.indexOf(0);
    const end = bytes.indexOf(0, middle + 1);
    const wasm = bytes.toString('base64', end + 1);
    const code = bytes.toString('latin1', 0, middle) + wasm + bytes.toString('latin1', middle + 1, end);
    const module = { exports: {} };
    const names = ['module', 'exports', 'require', '__filename', '__dirname'];
    const load = require('node:vm').compileFunction(code, names, { filename: file });
    load(module, module.exports, require, file, require('node:path').dirname(file));
    return module.exports;
  }
  parentPort.on('message', async ({ json, expression }) => {
    process.exitCode = 0;
    try {
      const text = await raw(json, expression, ['-c']);
      parentPort.postMessage({ text, isFailed: process.exitCode !== 0, fault: null });
    } catch (error) {
      parentPort.postMessage({ text: '', isFailed: true, fault: String(error?.message ?? error) });
    }
  });`;
class JqThread {
  #limits;
  // Without the environment, which may hold credentials, and without streams of its own.
  #worker = new Worker(program, {
    eval: true,
    workerData: fileOfJq(),
    env: bareEnv(),
    execArgv: [],
    stdout: true,
    stderr: true
  });
  constructor(limits) {
    this.#limits = limits;
  }
  async run(json, expression) {
    const safe = ` ${expression}`;
    const { text, isFailed, fault } = await this.#ask(json, safe);
    const results = text.split("\n").filter((line) => line !== "");
    if (!isFailed || fault !== null) return { results, fault };
    return { results, fault: (await this.#ask(json, `${safe} | empty`)).fault ?? "jq stopped after these results." };
  }
  async end() {
    await this.#worker.terminate();
  }
  #ask(json, expression) {
    const { signal, timeoutMs } = this.#limits;
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      const timer = timeoutMs === void 0 ? void 0 : setTimeout(() => settle(() => reject(tooLong(timeoutMs))), timeoutMs);
      const settle = (outcome) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        worker.removeListener("message", onMessage);
        worker.removeListener("error", onError);
        outcome();
      };
      const onAbort = () => settle(() => reject(new CliError("ABORTED", "Interrupted.")));
      const onMessage = (answer) => settle(() => resolve(answer));
      const onError = (error) => settle(() => resolve({ text: "", isFailed: true, fault: error.message }));
      if (signal.aborted) return onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
      worker.once("message", onMessage);
      worker.once("error", onError);
      worker.postMessage({ json, expression });
    });
  }
}
function fileOfJq() {
  const bundled = fileURLToPath(new URL("./jq-wasm.cjs.br", import.meta.url));
  return existsSync(bundled) ? bundled : createRequire(import.meta.url).resolve("jq-wasm");
}
function tooLong(timeoutMs) {
  return new CliError("TIMEOUT", `The expression of --jq did not end within ${timeoutMs} ms.`, {
    hint: "Check that it ends, or give it more time with --timeout."
  });
}
function linesOf(fault) {
  return fault.replace(/^Failed to execute raw query: /, "").split("\n").map(
    (line) => line.replace(/^jq: (error)?:? ?(\(at [^)]*\): )?/, "").replace(" (Unix shell quoting issues?)", "").trim()
  ).filter((line) => line !== "" && !/^\d+ compile errors?$/.test(line));
}
export {
  startJq
};
