// Applies --jq with jq compiled to WebAssembly, in its own thread: an expression may never end, and
// a thread can be stopped.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { CliError, refusal } from '../errors/cli-error.js';
import { bareEnv } from '../io/child-env.js';

export interface Jq {
  /**
   * Returns the results, one per line. `json` has any number of JSON texts; `failure` is the error
   * after these results.
   * @throws CliError ABORTED when the command is interrupted, TIMEOUT when the time limit is
   * reached
   */
  apply(json: string): Promise<{ readonly text: string; readonly failure: CliError | null }>;
  /** Stops the thread, even during a run. */
  end(): Promise<void>;
}

interface JqLimits {
  readonly signal: AbortSignal;
  /** In milliseconds for each run; undefined for no limit. */
  readonly timeoutMs: number | undefined;
}

/** Starts jq. Throws CliError USAGE for an invalid expression, before anything is sent. */
export async function startJq(expression: string, limits: JqLimits): Promise<Jq> {
  if (expression.trim() === '') {
    throw refusal('The expression of --jq is empty.', {
      hint: 'Write it as ".[].name".',
    });
  }
  const thread = new JqThread(limits);
  const end = () => thread.end();
  try {
    const { fault } = await thread.run('', expression);
    if (fault === null) return { apply: (json) => apply(thread, json, expression), end };
    throw refusal('jq cannot read the expression of --jq.', {
      details: linesOf(fault),
      hint: "Quote it for your shell, such as --jq '.[].name'; `man jq` describes the language.",
    });
  } catch (error) {
    await end();
    throw error;
  }
}

async function apply(thread: JqThread, json: string, expression: string): ReturnType<Jq['apply']> {
  const { results, fault } = await thread.run(json, expression);
  const text = results.map((result) => `${plain(result)}\n`).join('');
  if (fault === null) return { text, failure: null };
  const isInput = fault.includes('parse error');
  const failure = isInput
    ? new CliError('USAGE', 'This command printed no JSON that --jq could read.', { hint: 'Leave out --jq.' })
    : new CliError('USAGE', 'The expression of --jq does not fit the result.', {
        details: linesOf(fault),
        hint: 'Run the command with -o json to see what the expression gets.',
      });
  return { text, failure };
}

function plain(result: string): string {
  const value: unknown = result.startsWith('"') ? JSON.parse(result) : null;
  return typeof value === 'string' ? value : result;
}

interface Outcome {
  readonly results: readonly string[];
  /** The error message of jq; null on success. */
  readonly fault: string | null;
}

interface Answer {
  readonly text: string;
  readonly isFailed: boolean;
  readonly fault: string | null;
}

/** The package sets the exit code of its process, which is the exit code of the thread here. */
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
  readonly #limits: JqLimits;
  // An empty environment, because it may hold credentials, and no shared streams.
  readonly #worker = new Worker(program, {
    eval: true,
    workerData: fileOfJq(),
    env: bareEnv(),
    execArgv: [],
    stdout: true,
    stderr: true,
  });

  constructor(limits: JqLimits) {
    this.#limits = limits;
  }

  async run(json: string, expression: string): Promise<Outcome> {
    // A leading dash would be an option of jq.
    const safe = ` ${expression}`;
    const { text, isFailed, fault } = await this.#ask(json, safe);
    const results = text.split('\n').filter((line) => line !== '');
    if (!isFailed || fault !== null) return { results, fault };
    // When jq fails after some results, the package does not return the error; a second run does.
    return { results, fault: (await this.#ask(json, `${safe} | empty`)).fault ?? 'jq stopped after these results.' };
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #ask(json: string, expression: string): Promise<Answer> {
    const { signal, timeoutMs } = this.#limits;
    const worker = this.#worker;
    return new Promise<Answer>((resolve, reject) => {
      const timer =
        timeoutMs === undefined ? undefined : setTimeout(() => settle(() => reject(tooLong(timeoutMs))), timeoutMs);
      const settle = (outcome: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        worker.removeListener('message', onMessage);
        worker.removeListener('error', onError);
        outcome();
      };
      const onAbort = () => settle(() => reject(new CliError('ABORTED', 'Interrupted.')));
      const onMessage = (answer: Answer) => settle(() => resolve(answer));
      // For example, out of memory.
      const onError = (error: Error) => settle(() => resolve({ text: '', isFailed: true, fault: error.message }));
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      worker.once('message', onMessage);
      worker.once('error', onError);
      worker.postMessage({ json, expression });
    });
  }
}

/** Returns the compressed file next to the bundle, or else the installed package. */
function fileOfJq(): string {
  const bundled = fileURLToPath(new URL('./jq-wasm.cjs.br', import.meta.url));
  return existsSync(bundled) ? bundled : createRequire(import.meta.url).resolve('jq-wasm');
}

function tooLong(timeoutMs: number): CliError {
  return new CliError('TIMEOUT', `The expression of --jq did not end within ${timeoutMs} ms.`, {
    hint: 'Check that it ends, or give it more time with --timeout.',
  });
}

function linesOf(fault: string): readonly string[] {
  return fault
    .replace(/^Failed to execute raw query: /, '')
    .split('\n')
    .map((line) =>
      line
        .replace(/^jq: (error)?:? ?(\(at [^)]*\): )?/, '')
        .replace(' (Unix shell quoting issues?)', '')
        .trim(),
    )
    .filter((line) => line !== '' && !/^\d+ compile errors?$/.test(line));
}
