import {
  toDate
} from "fleet-telematics";
import { CliError, serviceNow } from "fleet-telematics/kit/command";
import { ORIGIN, originOf } from "../origin.js";
import { tripColumns, tripOfRow } from "../trip-of-row.js";
const VEHICLES_AT_ONCE = 100;
const WINDOW_MS = 31 * 864e5;
const LATEST_END_MS = 6e5;
const LATEST_SILENCE_MS = 6 * 36e5 + LATEST_END_MS;
class TripsOfCopy {
  #context;
  #client;
  #query;
  #readUntil = null;
  #asOf = Number.POSITIVE_INFINITY;
  #isAlsoOfService = false;
  constructor(context, client, query) {
    this.#context = context;
    this.#client = client;
    this.#query = query;
  }
  /**
   * Streams the trips that `streamTrips` would have. Only clipped trips come from the copy; those
   * that the period cuts at its start come first.
   */
  stream = (period, options = {}) => {
    if ("vehicles" in period && period.vehicles !== void 0) return this.#ofService(period, options);
    const vehicleIds = "vehicleId" in period ? [period.vehicleId] : period.vehicleIds;
    return this.#stream({ vehicleIds, from: period.from, to: period.to }, options);
  };
  /** What an answer says of its source. */
  get source() {
    if (this.#asOf === Number.POSITIVE_INFINITY) return {};
    return { source: this.#isAlsoOfService ? "copy and service" : "copy", asOf: this.#asOf };
  }
  async *#stream(asked, options) {
    const period = { from: toDate(asked.from).getTime(), to: toDate(asked.to).getTime() };
    const { ofCopy, before, after, others } = await this.#split(asked.vehicleIds, period, options);
    if (others.length > 0) yield* this.#ofService({ ...asked, vehicleIds: others }, options);
    if (before.length > 0) {
      const ends = new Map(before.map(({ vehicleId, from }) => [vehicleId, from]));
      const to = Math.min(period.to, Math.max(...ends.values()) + LATEST_SILENCE_MS);
      const begins = { vehicleIds: [...ends.keys()], from: asked.from, to: new Date(to) };
      for await (const trip of this.#ofService(begins, options)) {
        if (Date.parse(trip.startedAt) < (ends.get(trip.vehicleId) ?? 0)) yield trip;
      }
    }
    yield* this.#ofCopy(ofCopy);
    if (after.length > 0) {
      const vehicles = after.map(({ vehicleId, to }) => ({ vehicleId, from: new Date(to).toISOString() }));
      yield* this.#ofService({ vehicles, to: asked.to }, options);
    }
  }
  #ofService(period, options) {
    this.#isAlsoOfService = true;
    return this.#client.streamTrips(period, options);
  }
  async *#ofCopy(shares) {
    for (let at = 0; at < shares.length; at += VEHICLES_AT_ONCE) {
      const some = shares.slice(at, at + VEHICLES_AT_ONCE);
      const shareOf = new Map(some.map((share) => [share.vehicleId, share]));
      const end = Math.max(...some.map(({ to }) => to));
      for (let from = Math.min(...some.map((share) => share.from)); from < end; from += WINDOW_MS) {
        const to = Math.min(end, from + WINDOW_MS);
        const statement = `SELECT ${tripColumns.join(", ")} FROM trips WHERE vehicle_id IN (${textsOf([...shareOf.keys()])})
          AND started_at >= ${timeOf(from)} AND started_at < ${timeOf(to)} ORDER BY vehicle_id, started_at`;
        const [rows = []] = await this.#query([statement], this.#context.io.signal);
        for (const row of rows) {
          const trip = tripOfRow(row);
          const share = shareOf.get(String(row.vehicle_id));
          const begun = Date.parse(String(row.started_at));
          if (trip !== null && share !== void 0 && begun >= share.from && begun < share.to) yield trip;
        }
      }
    }
  }
  /** Which trips are taken from where. */
  async #split(vehicleIds, period, { clip, withDetails }) {
    const none = { ofCopy: [], before: [], after: [], others: vehicleIds };
    const read = clip === true ? await this.#vehiclesOfCopy() : null;
    if (read === null) return none;
    const now = Math.min(period.to, serviceNow(this.#context));
    const isWorthIt = ({ from, to }) => from <= period.from && Math.min(to, period.to) - period.from >= (now - period.from) / 2;
    const known = vehicleIds.flatMap((vehicleId) => {
      const own = read.get(vehicleId);
      return own !== void 0 && isWorthIt(own) ? [{ vehicleId, from: period.from, to: Math.min(own.to, period.to) }] : [];
    });
    const split = { ofCopy: [], before: [], after: [] };
    for (let at = 0; at < known.length; at += VEHICLES_AT_ONCE) {
      const some = known.slice(at, at + VEHICLES_AT_ONCE);
      const cuts = await this.#cutsOf(some, withDetails === true);
      if (cuts === null) return none;
      for (const share of some) {
        const { from, to } = cuts.get(share.vehicleId) ?? share;
        if (from >= to) continue;
        const own = { ...share, from, to };
        split.ofCopy.push(own);
        if (from > period.from) split.before.push(own);
        if (to < period.to && to < now) split.after.push(own);
      }
    }
    if (split.ofCopy.length === 0) return none;
    const taken = new Map(split.ofCopy.map(({ vehicleId }) => [vehicleId, read.get(vehicleId)]));
    this.#asOf = Math.min(this.#asOf, ...[...taken.values()].map((own) => own?.to ?? this.#asOf));
    return { ...split, others: vehicleIds.filter((id) => !taken.has(id)) };
  }
  /**
   * The shares of vehicles that have trips over an end of theirs, cut so that no trip is. A share without a time in it is of no use. Null when
   * the copy cannot be asked.
   */
  async #cutsOf(shares, isByDriver) {
    const [first] = shares;
    if (first === void 0) return /* @__PURE__ */ new Map();
    const of = `vehicle_id IN (${textsOf(shares.map(({ vehicleId }) => vehicleId))})`;
    const columns = "vehicle_id, started_at, ended_at, ended_by, driver_ids";
    const earliestEnd = Math.min(...shares.map(({ to }) => to)) - LATEST_SILENCE_MS;
    const end = Math.max(...shares.map(({ to }) => to));
    const several = `started_at >= ${timeOf(first.from)} AND started_at < ${timeOf(end)} AND json_array_length(driver_ids) > 1`;
    const statements = [
      `SELECT ${columns} FROM trips WHERE ${of} AND started_at < ${timeOf(first.from)} AND (ended_at IS NULL OR ended_at > ${timeOf(first.from)})`,
      `SELECT ${columns} FROM trips WHERE ${of} AND started_at < ${timeOf(end)} AND (ended_at IS NULL OR ended_at > ${timeOf(earliestEnd)})`,
      `SELECT DISTINCT vehicle_id FROM trips WHERE ${of} AND ${isByDriver ? several : "0"}`
    ];
    const found = await this.#asked(statements);
    if (found === null) return null;
    const [atBegin = [], atEnd = [], shared = []] = found;
    const cuts = new Map(shares.map(({ vehicleId, from, to }) => [vehicleId, { from, to }]));
    const cut = (vehicleId, by) => {
      const own = cuts.get(String(vehicleId));
      if (own !== void 0) cuts.set(String(vehicleId), by(own));
    };
    for (const row of atBegin) {
      const ended = row.ended_at === null ? Number.POSITIVE_INFINITY : Date.parse(String(row.ended_at));
      cut(row.vehicle_id, (own) => ({ ...own, from: Math.max(own.from, ended) }));
    }
    for (const row of atEnd) {
      const late = row.ended_by === "silence" ? LATEST_SILENCE_MS : LATEST_END_MS;
      const ended = row.ended_at === null ? Number.POSITIVE_INFINITY : Date.parse(String(row.ended_at)) + late;
      cut(
        row.vehicle_id,
        (own) => ended > own.to ? { ...own, to: Math.min(own.to, Date.parse(String(row.started_at))) } : own
      );
    }
    for (const row of shared) cut(row.vehicle_id, (own) => ({ ...own, to: own.from }));
    return cuts;
  }
  /** Between which times the trips of vehicles are in the copy. Null when it is not one of this user's fleet. */
  #vehiclesOfCopy() {
    this.#readUntil ??= this.#readVehicles();
    return this.#readUntil;
  }
  async #readVehicles() {
    const { signal } = this.#context.io;
    const found = await this.#asked([
      `SELECT value FROM sync_state WHERE name = '${ORIGIN}'`,
      `SELECT vehicle_id, begins_at, read_until FROM sync_cursors WHERE kind = 'trips'`
    ]);
    if (found === null) return null;
    const [[origin] = [], rows = []] = found;
    if (origin?.value !== originOf(await this.#client.identity({ signal }))) {
      this.#context.report.warn(
        "The copy is that of another user or service: this answer comes from the service alone."
      );
      return null;
    }
    return new Map(
      rows.map((row) => [
        String(row.vehicle_id),
        { from: Date.parse(String(row.begins_at)), to: Date.parse(String(row.read_until)) }
      ])
    );
  }
  async #asked(statements) {
    try {
      return await this.#query(statements, this.#context.io.signal);
    } catch (error) {
      if (!(error instanceof CliError) || error.code === "ABORTED") throw error;
      this.#context.report.warn(
        `The copy could not be read, so this answer comes from the service alone: ${error.problem}`
      );
      return null;
    }
  }
}
function timeOf(moment) {
  return `'${new Date(moment).toISOString()}'`;
}
function textsOf(values) {
  return values.map((value) => `'${value.replaceAll("'", "''").replaceAll("\0", "")}'`).join(", ");
}
export {
  TripsOfCopy
};
