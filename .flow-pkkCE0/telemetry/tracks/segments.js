import { defaultLateMs, ReorderBuffer } from "../trips/reorder-buffer.js";
import { FixCleaner } from "./fix-cleaner.js";
const MAX_FIXES = 5e3;
const defaultSegmentRules = { gapMs: 18e5, splitAtIgnitionOff: true, lateMs: defaultLateMs };
async function* segmentsOf(items, options) {
  let track = null;
  for await (const item of items) {
    if (track !== null && ("kind" in item || track.vehicleId !== item.vehicleId)) {
      yield* track.end();
      track = null;
    }
    if ("kind" in item) {
      yield item;
      continue;
    }
    track ??= new Track(item.vehicleId, options);
    yield* track.add(item);
  }
  if (track !== null) yield* track.end();
}
class Track {
  vehicleId;
  #options;
  #name;
  #order;
  #cleaner = new FixCleaner();
  #fixes = [];
  #number = 0;
  #continues = false;
  /** The last known state of the ignition. */
  #ignition = null;
  constructor(vehicleId, options) {
    this.vehicleId = vehicleId;
    this.#options = options;
    this.#name = options.nameOf(vehicleId);
    this.#order = new ReorderBuffer(options.lateMs);
  }
  *add(fix) {
    if (!this.#order.add(fix.time, fix)) return;
    for (let next = this.#order.take(); next !== null; next = this.#order.take()) yield* this.#append(next.row);
  }
  *end() {
    for (let next = this.#order.takeAny(); next !== null; next = this.#order.takeAny()) yield* this.#append(next.row);
    if (this.#fixes.length > 0) yield this.#segment();
  }
  *#append(next) {
    for (const { fix, isNewPlace } of this.#cleaner.add(next)) yield* this.#draw(fix, isNewPlace);
  }
  *#draw(fix, isNewPlace) {
    const last = this.#fixes.at(-1);
    if (last !== void 0) {
      if (isNewPlace || this.#startsNewSegment(last, fix)) {
        yield this.#segment();
        this.#fixes = [];
        this.#continues = false;
      } else if (this.#fixes.length >= MAX_FIXES) {
        yield this.#segment();
        this.#fixes = [last];
        this.#continues = true;
      }
    }
    this.#ignition = fix.ignition ?? this.#ignition;
    this.#fixes.push(fix);
  }
  #startsNewSegment(last, fix) {
    const isOff = this.#options.splitAtIgnitionOff && this.#ignition === false;
    if (isOff) return fix.ignition === true;
    return fix.time - last.time > this.#options.gapMs;
  }
  #segment() {
    this.#number++;
    return {
      kind: "segment",
      vehicleId: this.vehicleId,
      name: this.#name,
      number: this.#number,
      continues: this.#continues,
      fixes: this.#fixes
    };
  }
}
export {
  defaultSegmentRules,
  segmentsOf
};
