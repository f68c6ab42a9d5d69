import { onAbort } from "../../core/abort-listener.js";
import { FleetError } from "../../core/errors.js";
import { readMember } from "../../core/odd-values.js";
import { turnOfEventLoop } from "../../core/real-time.js";
import { askedId } from "../../core/uuid.js";
import { nullRows } from "../../request/unwrap-result.js";
import { nextRows } from "../../rows/list-rows.js";
import { WindowOrder } from "../window-order.js";
import { AcceptedLength } from "./accepted-length.js";
import { AnswerTarget, PART_BYTES } from "./answer-sizes.js";
import { VehicleProgress } from "./vehicle-progress.js";
const MAX_PARTS = 50;
const MAX_FAILURES = 4;
const operation = "getSnapshots";
class SnapshotReader {
  #dependencies;
  #vehicles;
  #target;
  #length;
  #controller = new AbortController();
  #onAbort = () => this.#controller.abort(readMember(this.#dependencies.signal, "reason"));
  #failures = 0;
  #outside = 0;
  #rows = 0;
  /** Null ones among them. */
  #nulls = 0;
  constructor(vehicles, dependencies) {
    this.#vehicles = new Map(vehicles.map((vehicle) => [vehicle.vehicleId, new VehicleProgress(vehicle)]));
    this.#dependencies = dependencies;
    this.#target = new AnswerTarget(dependencies.maxBytes);
    this.#length = new AcceptedLength(dependencies.windowLimit);
  }
  /** Cancels what is in progress. */
  stop() {
    this.#controller.abort();
  }
  /** Nothing more of this vehicle is needed. */
  skip(vehicleId) {
    const vehicle = this.#vehicles.get(vehicleId);
    if (vehicle) vehicle.isEnded = vehicle.isTold = true;
  }
  /** Up to when all rows of the vehicle have been taken, as text; null when there is no such time yet. */
  completeUntil(vehicleId) {
    return this.#vehicles.get(vehicleId)?.completeUntil ?? null;
  }
  /** The rows of all vehicles. Rejects with an error that is not one vehicle's, such as an aborted call. */
  async *read() {
    const { signal } = this.#dependencies;
    if (signal?.aborted) this.#onAbort();
    else if (signal) onAbort(signal, this.#onAbort);
    try {
      let next = this.#request();
      while (next !== null) {
        const { answered, ended, failure } = await next;
        next = failure ? null : this.#request();
        for (const answer of answered) yield* this.#deliver(answer);
        for (const { vehicle, error } of ended) yield* tellEnd(vehicle, error);
        if (failure) throw failure.error;
      }
    } finally {
      signal?.removeEventListener("abort", this.#onAbort);
      this.#warn();
    }
  }
  /** Requests the next parts; null when there are none. */
  #request() {
    const parts = this.#plan();
    return parts.length === 0 ? null : this.#receive(parts);
  }
  /** Vehicle after vehicle, until the answer is as large as it should be. */
  #plan() {
    const parts = [];
    let bytes = this.#target.bytes;
    for (const vehicle of this.#vehicles.values()) {
      if (vehicle.isEnded || vehicle.remainingMs <= 0) continue;
      if (vehicle.isAlone && parts.length > 0) continue;
      const rate = this.#rateOf(vehicle);
      const ms = Math.min(this.#longestMs(vehicle), PART_BYTES / rate);
      const expected = rate * Math.min(vehicle.remainingMs, ms);
      if (parts.length > 0 && expected > bytes) break;
      parts.push(vehicle.request(Math.min(ms, bytes / rate)));
      bytes -= expected;
      if (bytes <= 0 || parts.length === MAX_PARTS || vehicle.isAlone) break;
    }
    return parts;
  }
  #rateOf({ vehicleId, silentParts }) {
    const { rates, maxBytes } = this.#dependencies;
    return maxBytes === void 0 ? rates.of(vehicleId) : rates.carefully(vehicleId, silentParts);
  }
  #longestMs({ vehicleId, longestMs }) {
    return Math.min(longestMs, this.#length.ms, this.#dependencies.rates.longestMs(vehicleId));
  }
  /** Receives parts that have rows. What has none takes no memory, so the next is requested without waiting for the caller. Never rejects. */
  async #receive(first) {
    const received = { answered: [], ended: [], failure: null };
    for (let parts = first; parts.length > 0; parts = this.#plan()) {
      const answer = await this.#ask(parts);
      try {
        this.#take(answer, received);
      } catch (error) {
        received.failure = { error };
        break;
      }
      const isEmpty = answer.answered.every(({ rows }) => !rows.hasRows);
      if (!isEmpty || received.ended.length > 0 || this.#controller.signal.aborted) break;
    }
    return received;
  }
  async #ask(parts) {
    const { now, requestPart, serviceTime } = this.#dependencies;
    const begin = now();
    const askedAt = serviceTime.localNow();
    let isUrgent = false;
    let isShared = parts.length > 1;
    const answered = [];
    const failed = [];
    const requests = parts.map(async (part) => {
      const { vehicle, window, maxBytes, isAlone } = part;
      const list = {
        expectedBytes: Math.min(PART_BYTES, this.#rateOf(vehicle) * (window.to - window.from)),
        maxBytes,
        onSent: (calls) => {
          if (calls > 1) isShared = true;
        },
        onWaitingCalls: (urgent) => {
          if (urgent) isUrgent = true;
        }
      };
      try {
        const { vehicleId } = vehicle;
        const [from, to] = [vehicle.text(window.from), vehicle.text(window.to)];
        const rows = await requestPart({ vehicleId, from, to, list, isAlone }, this.#controller.signal);
        answered.push({ part, rows, askedAt });
      } catch (error) {
        failed.push({ part, error });
      }
    });
    await Promise.all(requests);
    return { answered, failed, ms: now() - begin, isUrgent, isShared };
  }
  /** Learns from an answer, and notes what has to be requested again. Throws an error that is not one vehicle's. */
  #take({ answered, failed, ms, isUrgent, isShared }, received) {
    const { isOfOneVehicle, rates } = this.#dependencies;
    for (const answer of answered) {
      const { part, rows } = answer;
      const { vehicle, window } = part;
      rates.learn(vehicle.vehicleId, rows.bytes, window.to - window.from);
      this.#length.answered(window);
      vehicle.answered(!rows.hasRows);
      received.answered.push(answer);
    }
    const errors = failed.map(({ error }) => {
      if (!isOfOneVehicle(error)) throw error;
      return error;
    });
    const [firstError] = errors;
    if (firstError === void 0) {
      this.#failures = 0;
      this.#target.answered(ms, isUrgent);
      return;
    }
    for (const { part } of failed) part.vehicle.requestAgain(part);
    if (errors.every(mayBeOfSize)) {
      if (errors.every(isOfService)) this.#failures++;
      if (this.#failures > MAX_FAILURES) throw firstError;
      if (errors.length > 1 && this.#target.shrink()) return;
    }
    for (const [at, error] of errors.entries()) {
      const part = failed[at]?.part;
      if (part && !this.#canGoOn(part, error, isShared)) {
        part.vehicle.isEnded = true;
        received.ended.push({ vehicle: part.vehicle, error });
      }
    }
  }
  /** Whether something else can be requested in place of a part that failed. */
  #canGoOn(part, error, isShared) {
    const { vehicle, window } = part;
    if (this.#controller.signal.aborted) return false;
    if (error.code === "RESPONSE_TOO_LARGE") return vehicle.requestLess(part);
    const accepted = this.#length.afterRefusal(window, error);
    if (accepted !== null) {
      vehicle.requestAgain(part, accepted);
      return true;
    }
    if (!isShared) return false;
    vehicle.isAlone = true;
    return true;
  }
  async *#deliver({ part, rows: answer, askedAt }) {
    const { vehicle, window } = part;
    if (vehicle.isTold) return;
    const { vehicleId } = vehicle;
    const order = new WindowOrder(window);
    const others = /* @__PURE__ */ new Set();
    let hasGap = false;
    try {
      hasGap = await this.#parse(answer, vehicleId, order, others);
    } catch (error) {
      if (!(error instanceof FleetError)) throw error;
      yield* tellEnd(vehicle, error);
      return;
    }
    const { onEvent } = this.#dependencies;
    for (const other of others) await onEvent?.({ type: "other", vehicleId: other });
    if (hasGap) await onEvent?.({ type: "gap", vehicleId });
    this.#outside += order.countOutside();
    vehicle.beginPart(window);
    const areInOrder = order.isInOrder;
    for (const batch of order.take()) {
      const rows = vehicle.withoutRepeats(batch, areInOrder);
      vehicle.given += rows.length;
      if (rows.length > 0) yield { vehicleId, rows, end: null };
      if (vehicle.isTold) return;
      await turnOfEventLoop();
    }
    vehicle.endPart(window, this.#dependencies.serviceTime.at(askedAt));
    if (vehicle.isRead) yield { vehicleId, rows: [], end: { vehicleId, until: vehicle.resumeFrom } };
  }
  /** Returns true where rows are missing, because there was null in place of some. */
  async #parse(answer, vehicleId, order, others) {
    let nulls = 0;
    for (let all = nextRows(answer, operation); all; all = nextRows(answer, operation)) {
      const rows = all.includes(null) ? all.filter((row) => row !== null) : all;
      nulls += all.length - rows.length;
      this.#rows += all.length;
      order.add(this.#dependencies.namesVehicles ? this.#ownRows(rows, vehicleId, others) : rows);
      await turnOfEventLoop();
    }
    this.#nulls += nulls;
    return nulls > 0;
  }
  /** The rows of this vehicle: in an answer with rows of others these would be there twice, or in its trips. */
  #ownRows(rows, vehicleId, others) {
    const isOwn = (row) => typeof row !== "object" || row === null || namedBy(row) === vehicleId;
    if (rows.every(isOwn)) return rows;
    return rows.flatMap((row) => {
      if (typeof row !== "object" || row === null || namedBy(row) === vehicleId) return [row];
      if (askedId(namedBy(row), vehicleId) !== null) return [{ ...row, vehicleId }];
      others.add(String(namedBy(row)));
      return [];
    });
  }
  #warn() {
    const { warning } = this.#dependencies.notifier;
    if (this.#nulls > 0) warning(nullRows(operation, this.#nulls, this.#rows));
    if (this.#outside === 0) return;
    const message = `${operation} answered ${this.#outside} rows from outside of the time that was asked for. The rows of a vehicle are in order within each part of the period only.`;
    warning({ code: "ROWS_OUT_OF_ORDER", operation, message });
  }
}
function* tellEnd(vehicle, error) {
  if (vehicle.isTold) return;
  vehicle.isEnded = vehicle.isTold = true;
  const { vehicleId, given: rowsGiven, resumeFrom } = vehicle;
  yield { vehicleId, rows: [], end: { vehicleId, error, rowsGiven, resumeFrom } };
}
function namedBy(row) {
  return Reflect.get(row, "vehicleId");
}
function mayBeOfSize(error) {
  return isOfService(error) || error.code === "RESPONSE_TOO_LARGE";
}
function isOfService({ code }) {
  return code === "TIMEOUT" || code === "HTTP";
}
export {
  SnapshotReader
};
