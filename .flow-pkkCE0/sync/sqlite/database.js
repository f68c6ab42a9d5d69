import { SyncTargetError } from "fleet-telematics/kit";
import { withFileSystem } from "./wasm-file-system.js";
const PAGE_BYTES = 8192;
const BUSY_MS = 1e3;
async function loadSqlite(of = "either") {
  const own = of === "wasm" ? void 0 : nodeSqlite();
  if (own !== void 0) return { open: (path, options) => openWithNode(own, path, options), hasSystemLocks: true };
  if (of === "node") throw new RangeError(`Node ${process.version} has no SQLite.`);
  const { default: wasm } = await import("node-sqlite3-wasm").catch((error) => {
    throw new SyncTargetError(
      "FAILED",
      "SQLite as WebAssembly, the package node-sqlite3-wasm, could not be loaded.",
      "If this program is a bundle, leave node-sqlite3-wasm out of it (esbuild: --external:node-sqlite3-wasm) and install it beside the bundle, or run it with Node 22.13 or newer.",
      error
    );
  });
  return { open: (path, options) => openWithWasm(wasm.Database, path, options), hasSystemLocks: false };
}
function nodeSqlite() {
  if (typeof process.getBuiltinModule !== "function") return void 0;
  const { emitWarning } = process;
  try {
    process.emitWarning = () => void 0;
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}
function plain(cell) {
  return typeof cell === "boolean" ? Number(cell) : cell;
}
function openWithNode({ DatabaseSync }, path, { readOnly }) {
  const database = new DatabaseSync(path, { readOnly });
  database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  if (!readOnly) database.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
  return {
    exec: (sql) => database.exec(sql),
    prepare(sql) {
      const statement = database.prepare(sql);
      return { run: (cells) => Number(statement.run(...cells.map(plain)).changes) };
    },
    transaction: (work) => transaction((sql) => database.exec(sql), work),
    all: (sql, cells = []) => database.prepare(sql).all(...cells.map(plain)).map(cellsOf),
    close: () => database.close()
  };
}
function openWithWasm(Wasm, path, { readOnly }) {
  const database = withFileSystem(() => new Wasm(path, { fileMustExist: readOnly, readOnly }));
  const exec = (sql) => withFileSystem(() => database.exec(sql));
  exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  if (!readOnly) exec(`PRAGMA page_size = ${PAGE_BYTES}`);
  return {
    exec,
    prepare(sql) {
      const statement = database.prepare(sql);
      return { run: (cells) => statement.run(cells.map(plain)).changes };
    },
    transaction: (work) => withFileSystem(() => transaction(exec, work)),
    all: (sql, cells = []) => withFileSystem(() => database.all(sql, cells.map(plain)).map(cellsOf)),
    // Closes its statements too.
    close: () => database.close()
  };
}
function transaction(exec, work) {
  exec("BEGIN IMMEDIATE");
  try {
    work();
    exec("COMMIT");
  } catch (error) {
    try {
      exec("ROLLBACK");
    } catch {
    }
    throw error;
  }
}
function cellsOf(row) {
  return Object.values(row).map(
    (value) => typeof value === "string" || typeof value === "number" || value === null ? value : String(value)
  );
}
export {
  loadSqlite
};
