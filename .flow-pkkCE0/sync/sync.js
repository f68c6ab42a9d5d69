import { isUuid } from "fleet-telematics/kit";
import { syncAssignments } from "./assignments.js";
import { isOfPart } from "./by-vehicle.js";
import { CLOCK_SLACK_MS, clocksOf, earliestNow, vouchedTime } from "./clocks.js";
import { idOf, isDeleted } from "./compare-records.js";
import { syncDevices } from "./devices.js";
import { historyTimes } from "./history.js";
import { IdSpellings } from "./id-spellings.js";
import { LatestSnapshots } from "./latest.js";
import { syncMappedSensors } from "./mapped-sensors.js";
import { planOf, syncRefusal } from "./options.js";
import { checkOrigin } from "./origin.js";
import { isOfVehicles, readWhole, recordLists } from "./parts.js";
import { readingOf } from "./periods.js";
import { readersOf } from "./readers.js";
import { writeRecords } from "./records.js";
import { ReportWriter } from "./report.js";
import { deleteBefore, keptFrom } from "./retention.js";
import { RunLog } from "./runs.js";
import { filledColumns, selectionOf } from "./snapshot-columns.js";
import { syncSnapshots } from "./snapshots.js";
import { idsOf, StampedCopy } from "./stamped-copy.js";
import { endOpenOfGone, openBeginsOf, openStopsOf, syncStops, syncTrips } from "./trips.js";
import { writeBehind } from "./write-behind.js";
async function syncFleet(fleet, target, options = {}) {
  const plan = planOf(options);
  const others = plan.users.map((user) => fleet.forUser(user));
  const open = await target.open();
  try {
    const write = (batch) => open.apply(batch);
    const isAdopted = await checkOrigin(fleet, { target: open, name: target.name, write }, plan);
    const allowDeletions = plan.allowDeletions || isAdopted;
    const copy = await StampedCopy.of(open, () => fleet.serviceClock().machineMs);
    const log = new RunLog(copy, plan);
    await log.begin();
    try {
      const state = { copy, cursors: await open.cursors() };
      const report = await new Sync({ fleet, others }, state, { ...plan, allowDeletions }).run();
      await log.end(report);
      return report;
    } catch (error) {
      await log.failed(error);
      throw error;
    }
  } finally {
    await open.close();
  }
}
async function previewSync(fleet, target, options = {}) {
  const plan = planOf(options);
  const open = await target.look();
  try {
    if (open !== null) await checkOrigin(fleet, { target: open, name: target.name }, plan);
    const cursors = open === null ? [] : await open.cursors();
    const call = { priority: "low", signal: plan.signal };
    const vehicles = plan.parts.has("vehicles") ? await readWhole((own) => fleet.getVehicles({}, { ...own, select: chosenBy }), call) : nothing;
    const known = respelled(
      vehicles,
      open === null ? new IdSpellings() : await idsOf(open, [{ table: "vehicles", columns: ["id"] }])
    );
    const vehicleIds = (await chosenVehicles(fleet, known, plan)).filter(isUuid);
    const clocks = clocksOf(fleet);
    const until = untilOf(clocks, plan);
    const keptFrom2 = await keptFromOf(fleet, clocks, vehicleIds, until, plan);
    const kinds = ["trips", "stops", "snapshots"].filter((kind) => plan.parts.has(kind));
    const periods = kinds.flatMap(
      (part) => readingOf(part, vehicleIds, cursors, { ...plan, keptFrom: keptFrom2 }, { until, clocks }).periods.map(
        ({ from, vehicleIds: own }) => ({
          part,
          from: new Date(from).toISOString(),
          vehicles: own.length
        })
      )
    );
    return { parts: [...plan.parts], vehicles: vehicleIds.length, periods, until: new Date(until).toISOString() };
  } finally {
    await open?.close();
  }
}
const chosenBy = { id: true, isDeleted: true, assignedGroups: { id: true } };
const nothing = { records: [], gap: null };
function respelled({ records, gap }, ids) {
  return { records: records.map((record) => ids.in(record)), gap };
}
class Sync {
  #fleet;
  #others;
  #target;
  #cursors;
  #plan;
  #teller;
  #asked = null;
  constructor({ fleet, others }, { copy, cursors }, plan) {
    this.#fleet = fleet;
    this.#others = others;
    this.#target = copy;
    this.#cursors = cursors;
    this.#plan = plan;
    this.#teller = new ReportWriter(plan);
  }
  async run() {
    const { parts, signal } = this.#plan;
    const { vehicles, lists: readLists } = await this.#readLists();
    const clocks = clocksOf(this.#fleet);
    const until = untilOf(clocks, this.#plan);
    this.#warnOfEnd(until);
    const now = new Date(until).toISOString();
    const chosen = await chosenVehicles(this.#fleet, vehicles, this.#plan);
    const { allowDeletions: allowsDeletions } = this.#plan;
    const keptFrom2 = await keptFromOf(this.#fleet, clocks, chosen, until, this.#plan);
    const history = await historyTimes(this.#target, this.#plan.history, earliestNow(clocks));
    for (const { part, table, answer } of readLists) {
      const scope = { part, table, now, allowsDeletions, history };
      this.#wrote(part, table, await writeRecords(this.#target, scope, answer, this.#teller));
    }
    if (parts.has("devices")) {
      const scope = { part: "devices", table: "devices", now, allowsDeletions, history };
      const read = { vehicles, teller: this.#teller, signal };
      this.#wrote("devices", "devices", await syncDevices(this.#fleet, this.#target, read, scope));
    }
    const vehicleIds = [...parts].some(isOfVehicles) ? this.#askable(chosen) : [];
    const lists = (part) => ({ part, vehicleIds, teller: this.#teller, signal });
    const latest = parts.has("latest") ? new LatestSnapshots(this.#fleet, vehicleIds, signal) : null;
    if (parts.has("mapped-sensors"))
      await syncMappedSensors(this.#fleet, this.#target, lists("mapped-sensors"), allowsDeletions);
    if (parts.has("assignments")) {
      const scope = { part: "assignments", table: "driver_assignments", now, allowsDeletions, history };
      const written = await syncAssignments(this.#fleet, this.#target, lists("assignments"), scope);
      this.#wrote("assignments", "driver_assignments", written);
    }
    if (parts.has("vehicles")) await endOpenOfGone(this.#target, this.#cursors);
    await this.#part("latest", async () => latest?.write(this.#target, this.#teller, clocks));
    const open = { trips: await openBeginsOf(this.#target, "trips"), stops: await openBeginsOf(this.#target, "stops") };
    const { cursors, deleted } = await deleteBefore(this.#target, this.#cursors, keptFrom2, open);
    const newest = latest?.newest ?? /* @__PURE__ */ new Map();
    const reads = (kind, open2 = {}) => {
      const state = { newest, openBegins: /* @__PURE__ */ new Map(), openStops: /* @__PURE__ */ new Map(), ...open2 };
      return readingOf(kind, vehicleIds, cursors, { ...this.#plan, keptFrom: keptFrom2 }, { until, clocks }, state);
    };
    const rows = (reading) => this.#rows(reading, vehicleIds, clocks);
    await this.#part(
      "trips",
      async () => rows(reads("trips", { openBegins: await openBeginsOf(this.#target, "trips") }))
    );
    await this.#part("stops", async () => rows(reads("stops", { openStops: await openStopsOf(this.#target) })));
    await this.#part("snapshots", () => rows(reads("snapshots")));
    const { tables, failures, warnings } = this.#teller;
    return { tables, failures, warnings, until: now, deleted };
  }
  /** The vehicles that the service can be asked about; tells the others. */
  #askable(vehicleIds) {
    for (const id of vehicleIds) if (!isUuid(id)) this.#teller.unstored("vehicles", "noUuid", id);
    return vehicleIds.filter(isUuid);
  }
  /** All lists in one request. Without the list of vehicles nothing that refers to it can be stored, so its error ends the sync. */
  async #readLists() {
    const options = { priority: "low", signal: this.#plan.signal };
    const wanted = recordLists.filter(({ part }) => this.#plan.parts.has(part));
    const answers = await Promise.all(
      wanted.map(async ({ part, table, read }) => {
        try {
          return { part, table, answer: await readWhole((own) => read(this.#fleet, own), options) };
        } catch (error) {
          if (part === "vehicles" || !isOfPart(error)) throw error;
          this.#fail(part, error);
          return null;
        }
      })
    );
    const found = answers.filter((answer) => answer !== null);
    const { ids } = this.#target;
    for (const { answer } of found) for (const record of answer.records) ids.of(idOf(record) ?? "");
    const lists = found.map(({ answer, ...list }) => ({ ...list, answer: respelled(answer, ids) }));
    return { lists, vehicles: lists.find(({ part }) => part === "vehicles")?.answer ?? nothing };
  }
  async #rows(reading, vehicleIds, clocks) {
    if (reading.newCursors.length > 0) await this.#target.apply({ steps: [], cursors: reading.newCursors });
    this.#warnOfCursors(reading);
    const { signal } = this.#plan;
    const vouched = await vouchedTime(this.#fleet, clocks, vehicleIds, signal);
    const readers = await this.#readers();
    const data = { readers, target: this.#target, teller: this.#teller, reading, vouched, signal };
    if (reading.kind === "trips") {
      return writeBehind((writing) => syncTrips({ ...data, writing }, this.#plan.speedLimitKmh));
    }
    if (reading.kind === "stops") return writeBehind((writing) => syncStops({ ...data, writing }));
    const columns = await filledColumns(this.#target, this.#plan.columns);
    this.#warnOfColumns(columns);
    return writeBehind((writing) => syncSnapshots({ ...data, writing }, selectionOf(columns.list)));
  }
  #warnOfColumns({ list, before }) {
    if (list === before || !this.#cursors.some(({ kind }) => kind === "snapshots")) return;
    this.#teller.warn(
      "COLUMNS_CHANGED",
      `Snapshots have these columns from now on: ${list}. Before, they had: ${before}. Rows that are in the copy stay as they are, but for the newest ones, which are read again.`
    );
  }
  /** Asked once in a sync. */
  #readers() {
    this.#asked ??= readersOf(this.#fleet, this.#others, this.#plan.signal);
    return this.#asked;
  }
  #warnOfEnd(until) {
    const wanted = this.#plan.until;
    if (wanted === null || wanted === until) return;
    const [asked, now] = [new Date(wanted).toISOString(), new Date(until).toISOString()];
    this.#teller.warn(
      "UNTIL_AHEAD",
      `until is ${asked}, which has not come yet. Trips and snapshots were read until now, ${now}.`
    );
  }
  #warnOfCursors({ kind, takenBack, notRead, until }) {
    const whose = (vehicles) => `the ${kind} of ${vehicles === 1 ? "one vehicle" : `${vehicles} vehicles`}`;
    if (takenBack !== null) {
      const latest = new Date(takenBack.latest).toISOString();
      const message = `The copy says that it has ${whose(takenBack.vehicles)} until ${latest}, which has not come yet: a clock was wrong when they were read, or somebody changed the copy. They are read again from the begin of the copy, so that nothing is missing.`;
      this.#teller.warn("CURSOR_AHEAD", message);
    }
    if (notRead !== null && this.#plan.until === null) {
      const [latest, now] = [new Date(notRead.latest).toISOString(), new Date(until).toISOString()];
      const message = `The copy has ${whose(notRead.vehicles)} until ${latest}, and the service's clock shows ${now}: it is behind. Nothing was read of them; the next sync reads them when the clock is right.`;
      this.#teller.warn("CLOCK_BEHIND", message);
    }
  }
  /** Runs a part that is wanted; when the service refuses it, the others go on. */
  async #part(part, run) {
    if (!this.#plan.parts.has(part)) return;
    try {
      await run();
    } catch (error) {
      if (!isOfPart(error)) throw error;
      this.#fail(part, error);
    }
  }
  #wrote(part, table, { read, written, changes, changedAt }) {
    const count = (type) => changes.filter((change) => change.type === type).length;
    const counts = { added: count("added"), changed: count("changed"), removed: count("removed") };
    this.#teller.done(part, { table, read, written, ...counts });
    for (const change of changes) this.#plan.onChange?.({ ...change, table, changedAt });
  }
  #fail(part, error) {
    this.#teller.failed(part, null, error);
  }
}
function untilOf({ service }, { until, since }) {
  const end = until === null || until > service + CLOCK_SLACK_MS ? service : until;
  if (since !== null && since >= end) throw syncRefusal("since is not before now.");
  return end;
}
async function keptFromOf(fleet, clocks, vehicleIds, until, { keepMs, since, signal }) {
  if (keepMs === null) return Number.NEGATIVE_INFINITY;
  const vouched = await vouchedTime(fleet, clocks, vehicleIds.filter(isUuid), signal);
  const from = keptFrom(Math.min(until, vouched), keepMs);
  if (since === null || since >= from) return from;
  const text = new Date(from).toISOString();
  throw syncRefusal(`since (--since) is before ${text}, and keepMs (--keep) deletes what is older than that.`);
}
async function chosenVehicles(fleet, { records, gap }, { vehicleIds, groupIds, signal }) {
  const live = records.filter((vehicle) => !isDeleted(vehicle));
  const all = new Map(live.map((vehicle) => [idOf(vehicle), vehicle]));
  const inGroups = groupIds === void 0 ? null : await groupsBelow(fleet, groupIds, signal);
  const known = new Set([...all.keys()].map((id) => id?.toLowerCase()));
  const unknown = vehicleIds?.find((vehicleId) => !known.has(vehicleId.toLowerCase()));
  if (unknown !== void 0 && gap === null) throw syncRefusal(`The user sees no vehicle with the id ${unknown}.`);
  const asked = new Set(vehicleIds?.map((id) => id.toLowerCase()));
  return [...all].flatMap(([id, vehicle]) => {
    if (id === null) return [];
    const isChosen = vehicleIds === void 0 && inGroups === null || asked.has(id.toLowerCase()) || isIn(vehicle, inGroups);
    return isChosen ? [id] : [];
  });
}
function isIn(vehicle, groups) {
  const assigned = Reflect.get(vehicle, "assignedGroups");
  if (groups === null || !Array.isArray(assigned)) return false;
  return assigned.some(
    (group) => typeof group?.id === "string" && groups.has(group.id.toLowerCase())
  );
}
async function groupsBelow(fleet, groupIds, signal) {
  const groups = await fleet.getGroups({}, { select: { id: true, parentId: true }, priority: "low", signal });
  const found = new Set(groupIds.map((id) => id.toLowerCase()));
  const known = new Set(groups.map(({ id }) => id?.toLowerCase()));
  const unknown = groupIds.find((groupId) => !known.has(groupId.toLowerCase()));
  if (unknown !== void 0) throw syncRefusal(`The user sees no group with the id ${unknown}.`);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const { id, parentId } of groups) {
      if (typeof id === "string" && typeof parentId === "string" && found.has(parentId.toLowerCase()))
        found.add(id.toLowerCase());
    }
  }
  return found;
}
export {
  previewSync,
  syncFleet
};
