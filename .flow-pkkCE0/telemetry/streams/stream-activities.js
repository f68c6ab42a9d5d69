import { streamError } from "../../core/errors.js";
import { GeneratorStream } from "../../core/generator-stream.js";
import {
  activitiesOfVehicles,
  endOfClipped,
  FIRST_LOOK_BACK_MS
} from "../activities/activities-of-vehicles.js";
import { DeviceClocks } from "../device-clocks.js";
import { snapshotReader, VehicleFailures } from "./stream-snapshots.js";
import {
  isOfMany,
  readVehicles
} from "./vehicles-in-period.js";
function streamActivities(variables, options, reading, dependencies) {
  const { caller, kind } = reading;
  const vehicles = readVehicles(caller, variables);
  const hasOwnStarts = isOfMany(variables) && (variables.vehicles ?? null) !== null;
  const lookBacks = hasOwnStarts ? [.../* @__PURE__ */ new Set([FIRST_LOOK_BACK_MS, ...kind.lookBacksMs])] : kind.lookBacksMs;
  const read = (ended) => readActivities(vehicles, lookBacks, options, reading, dependencies, ended);
  return new GeneratorStream(caller, read);
}
async function* readActivities({ vehicles, only }, lookBacks, options, { caller, kind, clip, now }, dependencies, ended) {
  const failed = only === null ? new VehicleFailures(caller, options.onEvent) : new FailedVehicle(kind.noun);
  const readers = [];
  const read = (some) => {
    const all = { vehicles: some, only };
    const reader = snapshotReader(all, { ...options, select: kind.select }, dependencies, kind.purpose);
    ended.addEventListener("abort", () => reader.stop());
    if (ended.aborted) reader.stop();
    readers.push(reader);
    return { rows: reader.read(), skip: (vehicleId) => reader.skip(vehicleId) };
  };
  const clipped = ({ vehicleId, period }) => ({
    vehicleId,
    period: { ...period, to: endOfClipped(period, kind, now()) },
    clip: period
  });
  const { serviceTime } = dependencies;
  const activityDependencies = {
    read,
    now,
    // Rows may arrive long after the stream has begun.
    clocks: new DeviceClocks(() => serviceTime.at(serviceTime.localNow()), dependencies.notifier.warning),
    warn: dependencies.notifier.warning,
    onFailure: (failure) => failed.add(failure),
    onComplete: (complete) => options.onEvent?.({ type: "complete", ...complete })
  };
  try {
    yield* activitiesOfVehicles(clip ? vehicles.map(clipped) : vehicles, kind, activityDependencies, lookBacks);
    failed.throwIfAny();
  } finally {
    for (const reader of readers) reader.stop();
  }
}
class FailedVehicle {
  #noun;
  #failed = null;
  constructor(noun) {
    this.#noun = noun;
  }
  add(failed) {
    this.#failed = failed;
  }
  throwIfAny() {
    if (this.#failed === null) return;
    const { error, rowsGiven } = this.#failed;
    throw streamError(error, `${error.message} ${rowsGiven} ${this.#noun}s were delivered before.`, this.#failed);
  }
}
export {
  streamActivities
};
