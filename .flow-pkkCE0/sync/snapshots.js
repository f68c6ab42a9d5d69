import { despiteFailures } from "fleet-telematics/kit";
import { BATCH_SNAPSHOTS, SNAPSHOT_ANSWER_BYTES } from "./memory-limits.js";
import { periodOf, reachedCursor, vehiclesOf } from "./periods.js";
import { sharesOf, sideBySide } from "./readers.js";
import { rowOf, timeText } from "./rows.js";
const none = { added: null, changed: null, removed: null };
class VehicleReading {
  vehicleId;
  /** From when it is read. */
  begin;
  /** Rows may be missing in the answers, so nothing says that a row of the copy is gone. */
  isGapped = false;
  /** The rows of the newest moment, by their number. More of them may come, and they are written together. */
  #moment = null;
  #newestRow = Number.NEGATIVE_INFINITY;
  #isComplete = false;
  /** What has been read and is not written yet. */
  #from;
  #to;
  constructor({ vehicleId, from }) {
    this.vehicleId = vehicleId;
    this.begin = from;
    this.#from = from;
    this.#to = from;
  }
  get readTo() {
    return this.#to;
  }
  /** The rows of the moment before, when this one begins another. One that came twice has the same number. */
  take(time, ordinal, row) {
    const moment = this.#moment;
    if (moment?.time === time) {
      moment.rows.set(ordinal, row);
      return [];
    }
    if (moment !== null && time < moment.time) this.isGapped = true;
    const rows = this.#finishMoment();
    this.#moment = { time, rows: /* @__PURE__ */ new Map([[ordinal, row]]) };
    return rows;
  }
  /** The rows of the last moment. */
  complete(until) {
    const rows = this.#finishMoment();
    this.#isComplete = true;
    this.#to = until;
    return rows;
  }
  #finishMoment() {
    if (this.#moment === null) return [];
    const { time, rows } = this.#moment;
    this.#moment = null;
    this.#newestRow = Math.max(this.#newestRow, time);
    this.#to = Math.max(this.#to, time);
    return [...rows.values()];
  }
  reached(vouched) {
    return { newestRow: this.#newestRow, vouched: this.#isComplete ? vouched : Number.NEGATIVE_INFINITY };
  }
  /** What the rows since the last call replace. */
  replaced() {
    const [from, until] = [new Date(this.#from).toISOString(), new Date(this.#to).toISOString()];
    this.#from = this.#to + 1;
    return this.isGapped ? [] : [{ vehicleId: this.vehicleId, from, until }];
  }
}
async function syncSnapshots({ readers, target, teller, reading, vouched, signal, writing }, selection) {
  const { until } = reading;
  const all = vehiclesOf(reading);
  const total = all.reduce((sum, { from }) => sum + (until - from), 0);
  const remarks = teller.remarks("snapshots");
  let [read, written, doneMs] = [0, 0, 0];
  const vehicles = new Map(all.map((vehicle) => [vehicle.vehicleId, new VehicleReading(vehicle)]));
  const reached = /* @__PURE__ */ new Map();
  let rows = [];
  const add = (vehicle, more, before) => {
    rows.push(...more);
    if (!reached.has(vehicle)) reached.set(vehicle, before);
  };
  const write = async () => {
    if (reached.size === 0) return;
    const periods = [...reached.keys()].flatMap((vehicle) => vehicle.replaced());
    const cursors = [...reached.keys()].map(
      (vehicle) => reachedCursor(reading, vehicle.vehicleId, vehicle.reached(vouched))
    );
    for (const [vehicle, before] of reached) doneMs += vehicle.readTo - before;
    reached.clear();
    const step = { kind: "replace", table: "snapshots", rows, periods };
    rows = [];
    const [readSoFar, share] = [read, total === 0 ? 1 : doneMs / total];
    await writing(async () => {
      written += (await target.apply({ steps: [step], cursors })).written;
      teller.progress("snapshots", readSoFar, share);
    });
  };
  await sideBySide(sharesOf(all, readers), signal, async ({ fleet, vehicles: own }, ended) => {
    const options = {
      priority: "low",
      signal: ended,
      answerBytes: SNAPSHOT_ANSWER_BYTES,
      onEvent(event) {
        const { type, vehicleId } = event;
        const vehicle = vehicles.get(vehicleId);
        if (type === "error") teller.failed("snapshots", vehicleId, event.error);
        else if (type === "other") teller.unstored("snapshots", "noVehicle", vehicleId);
        else if (type === "gap" && vehicle) vehicle.isGapped = true;
        else if (vehicle) add(vehicle, vehicle.complete(until), vehicle.readTo);
      }
    };
    const period = periodOf(own, until);
    const stream = selection === null ? fleet.streamSnapshots(period, options) : fleet.streamSnapshots(period, { ...options, select: selection });
    for await (const snapshot of despiteFailures(stream)) {
      read++;
      const vehicle = vehicles.get(snapshot.vehicleId);
      if (vehicle === void 0) {
        teller.unstored("snapshots", "noVehicle", snapshot.vehicleId);
        continue;
      }
      const text = snapshot.timestamp === null ? null : timeText(snapshot.timestamp);
      if (text === null) {
        teller.unstored("snapshots", "noTime", vehicle.vehicleId);
        continue;
      }
      const time = Date.parse(text);
      if (time < vehicle.begin || time > until) continue;
      const before = vehicle.readTo;
      const finished = vehicle.take(
        time,
        snapshot.ordinal,
        rowOf(
          "snapshots",
          target.ids.inSnapshot(snapshot),
          { vehicle_id: vehicle.vehicleId, recorded_at: text },
          remarks
        )
      );
      if (finished.length === 0) continue;
      add(vehicle, finished, before);
      if (rows.length >= BATCH_SNAPSHOTS) await write();
    }
  });
  await write();
  await writing(async () => teller.done("snapshots", { table: "snapshots", read, written, ...none }));
}
export {
  syncSnapshots
};
