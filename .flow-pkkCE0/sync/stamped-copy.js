import { IdSpellings } from "./id-spellings.js";
import { jsonText } from "./json.js";
import { noRows, sumOf } from "./rows-written.js";
import { idColumns, STAMP, tableOf } from "./tables.js";
const STATE = "sync_state";
async function idsOf(target, from = idColumns) {
  const ids = new IdSpellings();
  for (const { table, columns } of from)
    for (const cell of (await target.read(table, columns)).flat()) ids.of(String(cell));
  return ids;
}
class StampedCopy {
  read;
  runId;
  ids;
  #target;
  #now;
  #last;
  #changes = 0;
  #total = noRows;
  constructor(target, now, { runId, last, ids }) {
    this.ids = ids;
    this.read = (...of) => target.read(...of);
    this.runId = runId;
    this.#target = target;
    this.#now = now;
    this.#last = last;
  }
  /** `now`: milliseconds since 1970. */
  static async of(target, now) {
    const state = new Map(
      await target.read(STATE, ["name", "value"]).then((rows) => rows.map(([name, value]) => [name, value]))
    );
    const last = Date.parse(String(state.get(STAMP) ?? ""));
    const runs = Number(state.get("last_run") ?? 0);
    return new StampedCopy(target, now, {
      runId: (Number.isSafeInteger(runs) ? runs : 0) + 1,
      last: Number.isNaN(last) ? Number.NEGATIVE_INFINITY : last,
      ids: await idsOf(target)
    });
  }
  /** Rows of the fleet that have been written and deleted so far. */
  get total() {
    return this.#total;
  }
  /** Writes rows of the fleet. */
  async apply(batch) {
    const applied = await this.#apply(batch);
    const { changes, versions = [] } = batch;
    const entries = versions.reduce((sum, step) => sum + step.rows.length, changes?.found.length ?? 0);
    const ofFleet = { written: applied.written - entries, deleted: applied.deleted };
    this.#total = sumOf(this.#total, ofFleet);
    return { ...applied, ...ofFleet };
  }
  /** Writes what the sync notes about itself. */
  async note(rowsOf) {
    const at = this.#nextTime();
    await this.#target.apply({ steps: [...rowsOf(at), this.#stateStep(at)], cursors: [] });
  }
  async #apply({ steps, versions = [], cursors, changes }) {
    const at = this.#nextTime();
    const stamped = [...steps, ...versions].map((step) => withTime(step, at));
    if (changes !== void 0 && changes.found.length > 0) stamped.push(this.#changeStep(changes, at));
    if (stamped.length === 0) return { ...await this.#target.apply({ steps: [], cursors }), at };
    const { written, deleted } = await this.#target.apply({ steps: [...stamped, this.#stateStep(at)], cursors });
    return { written: written - 1, deleted, at };
  }
  #nextTime() {
    this.#last = Math.max(this.#now(), this.#last + 1);
    return new Date(this.#last).toISOString();
  }
  #stateStep(at) {
    return { kind: "upsert", table: STATE, rows: [[STAMP, at]] };
  }
  #changeStep({ table, found }, at) {
    const rows = found.map((change) => {
      const fields = change.type === "changed" ? jsonText(change.fields) : null;
      return [this.runId, this.#changes++, at, table, change.id, change.type, fields];
    });
    return { kind: "upsert", table: "changes", rows };
  }
}
function withTime(step, at) {
  if (step.kind === "delete" || step.kind === "deleteBefore") return step;
  if (step.kind === "markDeleted") return { ...step, syncedAt: at };
  const place = tableOf(step.table).columns.findIndex(({ name }) => name === STAMP);
  return place < 0 ? step : { ...step, rows: step.rows.map((row) => withCell(row, place, at)) };
}
function withCell(row, place, cell) {
  const copy = [...row];
  copy[place] = cell;
  return copy;
}
export {
  StampedCopy,
  idsOf
};
