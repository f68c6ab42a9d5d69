import { FleetError } from "../../core/errors.js";
import { GeofenceBoard } from "../events/geofence-board.js";
import { REFRESH_MS } from "../events/geofences.js";
import { Board } from "./board.js";
import { poll, pollOptions } from "./poll.js";
const DEFAULT_INTERVAL_MS = 3e4;
const DEFAULT_MIN_MOVE_METRES = 10;
async function* statusEvents(options, dependencies, signal) {
  const { previous, snapshot, staleAfterMs, offlineAfterMs } = options;
  const minMoveMetres = options.minMoveMetres ?? DEFAULT_MIN_MOVE_METRES;
  const board = new Board({ minMoveMetres, staleAfterMs, offlineAfterMs }, previous);
  const reads = dependencies.reader.open(options);
  let isFirst = true;
  try {
    const asking = { ...askingOf(options, dependencies), signal };
    const request = (reuseMs) => reads.next(reuseMs, asking);
    for await (const polled of polls(options, dependencies, signal, request)) {
      if ("type" in polled) {
        yield polled;
        continue;
      }
      const at = isoTime(polled.at);
      const changes = board.take(polled.answer, polled.at);
      if (isFirst && snapshot) yield { type: "snapshot", at, vehicles: board.vehicles(polled.at) };
      if (!isFirst || previous !== void 0) for (const change of changes) yield { ...change, at };
      isFirst = false;
    }
  } finally {
    reads.close();
  }
}
async function* geofenceEvents(options, dependencies, signal) {
  const { previous, snapshot, geofenceIds, radiusMetres } = options;
  const asking = { ...askingOf(options, dependencies), signal };
  const { reader, now } = dependencies;
  const vehicles = new Board({ minMoveMetres: 0, holdsPositions: true });
  const board = new GeofenceBoard(
    {
      hysteresisMetres: options.hysteresisMetres,
      radiusMetres,
      geofenceIds: geofenceIds === void 0 ? null : new Set(geofenceIds)
    },
    previous
  );
  const reads = reader.open(options);
  const refreshMs = options.refreshMs ?? REFRESH_MS;
  let refreshAt = Number.NEGATIVE_INFINITY;
  let isFirst = true;
  const request = async (reuseMs) => {
    const startedAt = now();
    const isDue = startedAt >= refreshAt;
    const [fleet, geofences] = await Promise.all([
      reads.next(reuseMs, asking),
      isDue ? reader.geofences(asking) : null
    ]);
    if (isDue) refreshAt = startedAt + refreshMs;
    return { ...fleet, answer: { fleet: fleet.answer, geofences } };
  };
  try {
    for await (const polled of polls(options, dependencies, signal, request)) {
      if ("type" in polled) {
        yield polled;
        continue;
      }
      const at = isoTime(polled.at);
      const { fleet, geofences } = polled.answer;
      if (geofences !== null) board.setGeofences(geofences);
      vehicles.take(fleet, polled.at);
      const changes = board.take(vehicles.vehicles(polled.at));
      if (isFirst && snapshot) yield { type: "snapshot", at, visits: board.visits() };
      if (!isFirst || previous !== void 0) for (const change of changes) yield { ...change, at };
      isFirst = false;
    }
  } finally {
    reads.close();
  }
}
function askingOf({ intervalMs = DEFAULT_INTERVAL_MS, timeoutMs }, client) {
  const asking = pollOptions(intervalMs, timeoutMs);
  return timeoutMs === void 0 ? { ...asking, timeoutMs: Math.min(asking.timeoutMs, client.timeoutMs) } : asking;
}
async function* polls({ intervalMs = DEFAULT_INTERVAL_MS }, dependencies, signal, request) {
  const polling = poll(
    intervalMs,
    // An answer of another watch is used when it is younger than half of the interval: both then
    // keep step.
    () => request(intervalMs / 2),
    { ...dependencies, pause: (ms) => dependencies.pause(ms, signal) }
  );
  for await (const polled of polling) {
    if (polled.kind === "failure") {
      const { error, failures, at, since } = polled;
      if (failures > 1 || !(error instanceof FleetError)) continue;
      yield { type: "outage", at: isoTime(at), since: isoTime(since), error };
      continue;
    }
    if (polled.outage !== null) {
      yield { type: "recovered", at: isoTime(polled.at), since: isoTime(polled.outage.since) };
    }
    yield polled;
  }
}
function isoTime(moment) {
  return new Date(moment).toISOString();
}
export {
  askingOf,
  geofenceEvents,
  isoTime,
  polls,
  statusEvents
};
