// Watches the vehicles or geofences of a fleet: polls, updates the board, and yields its changes.
import type { SelectionTree } from '../../contract/selection/tree.js';
import { FleetError } from '../../core/errors.js';
import type { Warning } from '../../core/hooks.js';
import type { EventReads } from '../events/fleet-events.js';
import { GeofenceBoard } from '../events/geofence-board.js';
import { type GeofencesAnswer, REFRESH_MS } from '../events/geofences.js';
import type { FleetAnswer } from '../events/snapshot-readings.js';
import { isoTime } from '../timestamps.js';
import { Board } from './board.js';
import type {
  GeofenceEvent,
  OutageEvent,
  RecoveredEvent,
  StatusEvent,
  WatchGeofencesOptions,
  WatchOptions,
  WatchStatusOptions,
} from './events.js';
import type { FleetReader, VehicleReads } from './fleet-reader.js';
import { type PollAnswer, type PollDependencies, poll, pollOptions, type TimedAnswer } from './poll.js';

export interface WatchDependencies extends Omit<PollDependencies, 'pause'> {
  readonly reader: FleetReader;
  /** Reads the selected fields of snapshots, each vehicle from its own time. */
  snapshots(
    select: SelectionTree,
    signal: AbortSignal,
    ...rest: Parameters<EventReads<never>['snapshots']>
  ): ReturnType<EventReads<never>['snapshots']>;
  warn(event: Warning): void;
  /** The option of the client. */
  readonly timeoutMs: number;
  /** Rejects with a FleetError when the signal fires or the client is closed. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

const DEFAULT_INTERVAL_MS = 30_000;
const DEFAULT_MIN_MOVE_METRES = 10;

/** Yields the changes of vehicles. Options are already checked. Throws permanent errors only. */
export async function* statusEvents(
  options: WatchStatusOptions,
  dependencies: WatchDependencies,
  signal: AbortSignal,
): AsyncGenerator<StatusEvent, void> {
  const { previous, staleAfterMs, offlineAfterMs } = options;
  const minMoveMetres = options.minMoveMetres ?? DEFAULT_MIN_MOVE_METRES;
  const board = new Board({ minMoveMetres, staleAfterMs, offlineAfterMs }, previous);
  const reads = dependencies.reader.open(options);
  try {
    const callOptions = { ...watchCallOptions(options, dependencies), signal };
    const request = (reuseMs: number) => reads.next(reuseMs, callOptions);
    const take = (answer: FleetAnswer, at: number) => board.take(answer, at);
    const stateAt = (at: number) => ({ vehicles: board.vehicles(at) });
    yield* boardEvents(options, pollWithOutages(options, dependencies, signal, request), take, stateAt);
  } finally {
    reads.close();
  }
}

/** Yields the whole state first, if wanted, then outages and the changes by each answer. */
async function* boardEvents<Answer, Change extends object, State extends object>(
  { snapshot, previous }: WatchOptions & { readonly previous?: readonly unknown[] | undefined },
  polling: AsyncIterable<PollAnswer<Answer> | OutageEvent | RecoveredEvent>,
  take: (answer: Answer, at: number) => readonly Change[],
  stateAt: (at: number) => State,
) {
  let isFirst = true;
  for await (const polled of polling) {
    if ('type' in polled) {
      yield polled;
      continue;
    }
    const at = isoTime(polled.at);
    const changes = take(polled.answer, polled.at);
    if (isFirst && snapshot) yield { type: 'snapshot' as const, at, ...stateAt(polled.at) };
    // The first answer has nothing to be compared with, unless `previous` is set.
    if (!isFirst || previous !== undefined) for (const change of changes) yield { ...change, at };
    isFirst = false;
  }
}

interface GeofenceAnswer {
  readonly fleet: FleetAnswer;
  readonly geofences: GeofencesAnswer | null;
}

/** Yields the visits that begin and end. Otherwise like `statusEvents`. */
export async function* geofenceEvents(
  options: WatchGeofencesOptions,
  dependencies: WatchDependencies,
  signal: AbortSignal,
): AsyncGenerator<GeofenceEvent, void> {
  const { previous, geofenceIds, radiusMetres } = options;
  const callOptions = { ...watchCallOptions(options, dependencies), signal };
  const { reader, now } = dependencies;
  const vehicles = new Board({ minMoveMetres: 0, holdsPositions: true });
  const board = new GeofenceBoard(
    {
      hysteresisMetres: options.hysteresisMetres,
      radiusMetres,
      geofenceIds: geofenceIds === undefined ? null : new Set(geofenceIds),
    },
    previous,
  );
  const reads: VehicleReads = reader.open(options);
  const refreshMs = options.refreshMs ?? REFRESH_MS;
  let refreshAt = Number.NEGATIVE_INFINITY;
  const request = async (reuseMs: number): Promise<TimedAnswer<GeofenceAnswer>> => {
    const startedAt = now();
    const isDue = startedAt >= refreshAt;
    // Calls made together share a request.
    const [fleet, geofences] = await Promise.all([
      reads.next(reuseMs, callOptions),
      isDue ? reader.geofences(callOptions) : null,
    ]);
    if (isDue) refreshAt = startedAt + refreshMs;
    return { ...fleet, answer: { fleet: fleet.answer, geofences } };
  };
  const take = ({ fleet, geofences }: GeofenceAnswer, at: number) => {
    if (geofences !== null) board.setGeofences(geofences);
    vehicles.take(fleet, at);
    return board.take(vehicles.vehicles(at));
  };
  const stateAt = () => ({ visits: board.visits() });
  try {
    yield* boardEvents(options, pollWithOutages(options, dependencies, signal, request), take, stateAt);
  } finally {
    reads.close();
  }
}

export function watchCallOptions(
  { intervalMs = DEFAULT_INTERVAL_MS, timeoutMs }: WatchOptions,
  client: { readonly timeoutMs: number },
) {
  const callOptions = pollOptions(intervalMs, timeoutMs);
  return timeoutMs === undefined
    ? { ...callOptions, timeoutMs: Math.min(callOptions.timeoutMs, client.timeoutMs) }
    : callOptions;
}

/** Yields the answers, and an event at the start and the end of each outage. */
export async function* pollWithOutages<Answer>(
  { intervalMs = DEFAULT_INTERVAL_MS }: WatchOptions,
  dependencies: WatchDependencies,
  signal: AbortSignal,
  request: (reuseMs: number) => Promise<TimedAnswer<Answer>>,
): AsyncGenerator<PollAnswer<Answer> | OutageEvent | RecoveredEvent, void> {
  const polling = poll(
    intervalMs,
    // An answer of another watch is used up to half of the interval old, which synchronises both.
    () => request(intervalMs / 2),
    { ...dependencies, pause: (ms) => dependencies.pause(ms, signal) },
  );
  for await (const polled of polling) {
    if (polled.kind === 'failure') {
      const { error, failures, at, since } = polled;
      if (failures > 1 || !(error instanceof FleetError)) continue;
      yield { type: 'outage', at: isoTime(at), since: isoTime(since), error };
      continue;
    }
    if (polled.outage !== null) {
      yield { type: 'recovered', at: isoTime(polled.at), since: isoTime(polled.outage.since) };
    }
    yield polled;
  }
}
