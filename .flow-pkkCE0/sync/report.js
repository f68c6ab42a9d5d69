import { ProtocolError } from "fleet-telematics";
import { readText } from "fleet-telematics/kit";
import { MAX_DEPTH } from "./json.js";
const reasons = {
  noId: "have no id, or one that is too long: they are not in the copy",
  sameId: "came with the id of another one and other values: the last one is in the copy",
  tooDeep: `hold a value that is nested more than ${MAX_DEPTH} levels deep: what is deeper is not in the copy`,
  lostParts: "have items in a list, such as custom fields, whose name or id is missing, too long or there twice: these are only in the column `record`",
  noUuid: "have an id that is no UUID: what is read by vehicle cannot be asked for",
  noTime: "have no time that can be read: they are not in the copy",
  noVehicle: "name no vehicle that was asked for: they are not in the copy"
};
const isOfSnapshots = /* @__PURE__ */ new Set(["latest", "trips", "stops", "snapshots"]);
const NAMED_IDS = 20;
const NAMED_ID_LENGTH = 60;
class ReportWriter {
  tables = [];
  #failures = [];
  #unstored = /* @__PURE__ */ new Map();
  #unreadable = /* @__PURE__ */ new Map();
  #warnings = [];
  #onProgress;
  #onTable;
  constructor({ onProgress, onTable }) {
    this.#onProgress = onProgress;
    this.#onTable = onTable;
  }
  get failures() {
    const unstored = [...this.#unstored.values()].map((one) => {
      const { part } = one;
      return { kind: "unstored", part, vehicleId: null, error: new ProtocolError(unstoredText(one)) };
    });
    return [...this.#failures, ...unstored];
  }
  get warnings() {
    const unreadable = [...this.#unreadable.values()].map(
      ({ table, column, count }) => ({
        code: "UNREADABLE_VALUES",
        message: unreadableText(table, column, count)
      })
    );
    return [...this.#warnings, ...unreadable];
  }
  progress(part, rows, fraction) {
    this.#onProgress?.({ part, rows, fraction, isDone: false });
  }
  done(part, report) {
    this.tables.push(report);
    this.#onProgress?.({ part, rows: report.read, fraction: 1, isDone: true });
    this.#onTable?.(report);
  }
  failed(part, vehicleId, error) {
    this.#failures.push({ kind: "unread", part, vehicleId, error });
  }
  undeleted(part, message) {
    this.#failures.push({ kind: "undeleted", part, vehicleId: null, error: new ProtocolError(message) });
  }
  /** `id` names the record, or the vehicle of a snapshot; null when there is none. */
  unstored(part, reason, id) {
    const key = `${part} ${reason}`;
    const what = isOfSnapshots.has(part) ? "snapshots" : `records of ${part}`;
    const known = this.#unstored.get(key) ?? { part, what, reason, ids: /* @__PURE__ */ new Set(), count: 0 };
    this.#unstored.set(key, known);
    known.count++;
    if (typeof id === "string" && known.ids.size < NAMED_IDS) known.ids.add(id.slice(0, NAMED_ID_LENGTH));
  }
  /** Takes what could not be taken into the rows of a part. */
  remarks(part) {
    const idOfRow = (record) => readText(Reflect.get(record, "id") ?? Reflect.get(record, "vehicleId"));
    return {
      unreadable: (table, column) => {
        const key = `${table.name}.${column.name}`;
        const known = this.#unreadable.get(key) ?? { table, column, count: 0 };
        this.#unreadable.set(key, known);
        known.count++;
      },
      tooDeep: (record) => this.unstored(part, "tooDeep", idOfRow(record)),
      lostParts: (record) => this.unstored(part, "lostParts", idOfRow(record))
    };
  }
  warn(code, message) {
    this.#warnings.push({ code, message });
  }
}
function namedIds(ids, count) {
  const named = [...ids].slice(0, NAMED_IDS);
  return `${named.join(", ")}${count > named.length ? ", \u2026" : ""}`;
}
function unstoredText({ count, what, reason, ids }) {
  const isOfVehicles = what === "snapshots";
  const of = ids.size === 0 ? "" : ` (${isOfVehicles ? "of " : ""}${namedIds(ids, count)})`;
  return `${count} ${what}${of} ${reasons[reason]}.`;
}
function unreadableText({ name, columns, partsOf, countersOf }, { name: column, from }, count) {
  const rows = count === 1 ? `1 row of ${name}` : `${count} rows of ${name}`;
  const kept = columns.find(({ name: other }) => other === "rest" || other === "record")?.name;
  const owner = partsOf?.table ?? countersOf;
  const where = owner === void 0 ? `\`${kept}\`` : `\`record\` of ${owner}`;
  return `Cannot read ${from} for ${column} of ${rows}: its form is one that the column cannot take. The column is null, and the value is in ${where}. \`fleet schema check\` shows how the service differs from the contract.`;
}
export {
  ReportWriter,
  namedIds
};
