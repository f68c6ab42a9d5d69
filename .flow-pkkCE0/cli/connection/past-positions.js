import { Readings } from "../../telemetry/readings.js";
import { despiteFailures } from "../../telemetry/streams/despite-failures.js";
import {
  pastPositions,
  positionSelection
} from "../../telemetry/visits/past-positions.js";
import { progressOn } from "../context/progress.js";
import { FailedVehicles } from "../errors/failed-vehicles.js";
import { timestamp } from "../parse/time.js";
import { wholeNumber } from "../views/humanize.js";
async function readPastPositions(context, client, vehicles, at, readings = new Readings()) {
  const nameById = new Map(vehicles.map(({ id, name }) => [id, name]));
  const failed = new FailedVehicles("getSnapshots", (id) => nameById.get(id) ?? id);
  const failedIds = /* @__PURE__ */ new Set();
  const progress = progressOn(context);
  const { signal } = context.io;
  async function* read(ids, from, to) {
    const vehicleIds = ids.filter((id) => !failedIds.has(id));
    if (vehicleIds.length === 0) return;
    progress.show(`looking where ${wholeNumber(vehicleIds.length)} of ${wholeNumber(vehicles.length)} vehicles were`);
    yield* despiteFailures(
      client.streamSnapshots(
        { vehicleIds, from: timestamp(from), to: timestamp(to) },
        {
          select: positionSelection,
          partial: true,
          signal,
          onEvent(event) {
            if (event.type !== "error") return;
            failedIds.add(event.vehicleId);
            failed.add(event.vehicleId, event.error);
          }
        }
      )
    );
  }
  try {
    const toLocate = vehicles.map(({ id, row }) => ({ id, newest: row?.lastData ?? null }));
    const positions = await pastPositions(toLocate, at, read, readings);
    const unknown = vehicles.filter(({ id }) => !positions.has(id) && !failedIds.has(id));
    return { positions, unknown, failedIds, failed };
  } finally {
    progress.clear();
  }
}
export {
  readPastPositions
};
