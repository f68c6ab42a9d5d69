// Runs one statement of SQL on a SQLite file, in a thread of its own: SQLite answers nothing while it works, and a statement may never end. The
// thread opens the file for reading alone, has a limit of memory, and can be stopped.
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { CliError } from '../errors/cli-error.js';

export interface SqlRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

export interface SqlLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

/** What the thread answers to each statement, in order. */
type SqlAnswer = { readonly results: readonly SqlRows[] } | { readonly fault: string };

/** SQLite of Node where it has one, else as WebAssembly. Texts of bytes are not for models. */
const program = `
  const { parentPort, workerData: { path, wasm, statements } } = require('node:worker_threads');
  function opened() {
    const own = process.getBuiltinModule?.('node:sqlite');
    if (own !== undefined) return new own.DatabaseSync(path, { readOnly: true });
    return new (require(wasm).Database)(path, { readOnly: true, fileMustExist: true });
  }
  try {
    const database = opened();
    database.exec('PRAGMA busy_timeout = 1000');
    database.exec('PRAGMA query_only = 1');
    const rowsOf = (sql) => (database.all ? database.all(sql) : database.prepare(sql).all());
    const plain = (cell) => typeof cell === 'bigint' ? String(cell) : ArrayBuffer.isView(cell) ? '(' + cell.byteLength + ' bytes)' : cell;
    const results = statements.map((sql) => {
      const rows = rowsOf(sql);
      return { columns: Object.keys(rows[0] ?? {}), rows: rows.map((row) => Object.values(row).map(plain)) };
    });
    database.close();
    parentPort.postMessage({ results });
  } catch (error) {
    parentPort.postMessage({ fault: String(error?.message ?? error) });
  }`;

/** @throws CliError USAGE with what SQLite says, TIMEOUT when the time is over, ABORTED */
export async function runSql(
  path: string,
  statements: readonly string[],
  limits: SqlLimits,
): Promise<readonly SqlRows[]> {
  const { signal, timeoutMs, memoryMb } = limits;
  if (signal.aborted) throw new CliError('ABORTED', 'Interrupted.');
  const worker = new Worker(program, {
    eval: true,
    workerData: { path, statements, wasm: fileOfWasm() },
    // Without the environment, which may hold credentials; SQLite of older versions of Node says that it is experimental.
    ...{ env: {}, execArgv: ['--no-warnings'], stdout: true, stderr: true },
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  let timer: NodeJS.Timeout | undefined;
  let onAbort: () => void = () => undefined;
  // A thread that has answered ends by itself. One that is stopped is not waited for: with WebAssembly in it that can take for ever.
  const stop = () => {
    void worker.terminate();
    worker.unref();
  };
  try {
    const answer = await new Promise<SqlAnswer>((resolve, reject) => {
      const tooLong = () => {
        stop();
        reject(
          new CliError('TIMEOUT', `The statement did not end within ${timeoutMs / 1_000} s and was stopped.`, {
            hint: 'Ask for less: a shorter period, a condition on an indexed column such as vehicle_id, a LIMIT.',
          }),
        );
      };
      timer = setTimeout(tooLong, timeoutMs);
      onAbort = () => {
        stop();
        reject(new CliError('ABORTED', 'Interrupted.'));
      };
      signal.addEventListener('abort', onAbort, { once: true });
      worker.once('message', resolve);
      // It ran out of memory, for example.
      worker.once('error', () => resolve({ fault: 'the statement needs too much memory' }));
    });
    if ('results' in answer) return answer.results;
    throw new CliError('USAGE', `SQLite refuses it: ${answer.fault.replaceAll(path, 'the copy')}.`, {
      hint: 'SELECT name, sql FROM sqlite_master tells the tables and their columns.',
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Only for a Node without SQLite of its own. */
function fileOfWasm(): string {
  // In the bundle the address is an object that becomes a text when it is asked for.
  return createRequire(String(import.meta.url)).resolve('node-sqlite3-wasm');
}
