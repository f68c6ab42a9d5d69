// The child process that runs SQL, in a thread, because SQLite blocks its thread. The main thread
// kills the process when it uses too much memory or when the server has ended.
const { isMainThread, parentPort, Worker, workerData } = require('node:worker_threads');

/** @typedef {import('./sql-process.js').SqlQuestion} SqlQuestion */
/**
 * @typedef {{ iterate(): Iterable<Record<string, unknown>>, setReadBigInts?(isOn: boolean): void }}
 * Statement
 */
/** @typedef {{ prepare(sql: string): Statement }} Database SQLite of Node, or as WebAssembly. */

const MEMORY_CHECK_MS = 10;
/** In bytes, of all rows. */
const ANSWER_BYTES = 32_000_000;

if (isMainThread) watch();
else parentPort?.postMessage(answerTo(workerData));

function watch() {
  // process.exit() would wait for the thread.
  const die = () => process.kill(process.pid, 'SIGKILL');
  process.once('disconnect', die);
  process.once('message', (/** @type {SqlQuestion} */ question) => {
    const thread = new Worker(__filename, { workerData: question });
    thread.once('message', (answer) => process.send?.(answer, () => process.exit()));
    const isTooLarge = () => process.memoryUsage.rss() > question.memoryMb * 2 ** 20;
    setInterval(() => isTooLarge() && die(), MEMORY_CHECK_MS);
  });
}

/** @param {SqlQuestion} question @returns {import('./sql-process.js').SqlAnswer} */
function answerTo({ path, statements, mostRows }) {
  try {
    const database = openDatabase(path);
    const run = (/** @type {string} */ sql) => [...database.prepare(sql).iterate()];
    for (const name of ['busy_timeout = 1000', 'temp_store = MEMORY', 'trusted_schema = OFF']) run(`PRAGMA ${name}`);
    let bytes = 0;
    const results = statements.map((sql, number) => {
      // SQLite accepts one SELECT, WITH or VALUES in a view, and stores the text that it has read.
      const view = `fleet_answer_${number}`;
      run(`CREATE TEMP VIEW ${view} AS\n${sql}`);
      const [stored] = run(`SELECT sql FROM sqlite_temp_master WHERE name = '${view}'`);
      const rest = sql.slice(String(stored?.sql).length - `CREATE VIEW ${view} AS\n`.length);
      if (!/^[\s;]*$/.test(rest)) throw new Error('more than one statement: nothing may follow the semicolon');
      const select = database.prepare(`SELECT * FROM ${view} LIMIT ${mostRows}`);
      // SQLite of Node throws for integers that exceed a number.
      select.setReadBigInts?.(true);
      const rows = [];
      let columns = /** @type {string[]} */ ([]);
      for (const row of select.iterate()) {
        columns = Object.keys(row);
        const cells = Object.values(row).map(plainOf);
        bytes += JSON.stringify(cells).length;
        if (bytes > ANSWER_BYTES) throw new Error(`the rows have more than ${ANSWER_BYTES / 1e6} MB`);
        rows.push(cells);
      }
      return { columns, rows };
    });
    return { results };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns a cell that JSON can carry. @param {unknown} cell */
function plainOf(cell) {
  if (ArrayBuffer.isView(cell)) return `(${cell.byteLength} bytes)`;
  if (typeof cell === 'bigint' && Number.isSafeInteger(Number(cell))) return Number(cell);
  return typeof cell === 'bigint' || Math.abs(Number(cell)) === Number.POSITIVE_INFINITY ? String(cell) : cell;
}

/** @param {string} path @returns {Database} */
function openDatabase(path) {
  // The types of Node 20 have no SQLite.
  const own = /** @type {any} */ (process.getBuiltinModule?.('node:sqlite'));
  if (own !== undefined) return new own.DatabaseSync(path, { readOnly: true });
  // Its lock is a folder that outlives a killed process. No other program checks it.
  Object.assign(require('node:fs'), { mkdirSync() {}, rmdirSync() {} });
  const wasm = require('node-sqlite3-wasm');
  return new wasm.Database(path, { readOnly: true, fileMustExist: true });
}
