// Runs a watch until it is interrupted: polls the fleet, prints, stores and delivers the events.
import { durationText } from '../../core/durations.js';
import { realTimers } from '../../core/ports.js';
import type { CallOptions, FleetClient, FleetEvent } from '../../index.js';
import { FleetEvents, type FoundPart } from '../../telemetry/events/fleet-events.js';
import { type Context, note, serviceNow } from '../context/context.js';
import { outageText, recoveryText } from '../live/messages.js';
import { pollUntilInterrupted } from '../live/poll.js';
import { type AlertRule, ruleText } from './alert-rule.js';
import { Deliveries, type Receiver } from './deliveries.js';
import type { AlertFlags } from './flags.js';
import { eventReads, ruleScopes, type VehicleChoices } from './fleet-reads.js';
import type { WatchFile } from './watch-file.js';
import { StoredWatchState } from './watch-records.js';

/** Number of pending events at which polling pauses. Later events are found afterwards. */
const MOST_WAITING = 10_000;

/** Time for deliveries after an interrupt; the rest of the shutdown saves session and file. */
const DRAIN_MS = 600;

const GIVE_UP_AFTER_MS = 3 * 86_400_000;

interface WatchJob {
  readonly client: FleetClient;
  readonly rules: readonly AlertRule[];
  readonly choices: VehicleChoices;
  readonly flags: AlertFlags;
  readonly everyMs: number;
  /** Milliseconds since 1970; null for now. */
  readonly since: number | null;
  /** Null for a watch without a file. */
  readonly file: WatchFile | null;
  readonly receivers: readonly Receiver[];
  print(events: readonly FleetEvent[]): Promise<void>;
}

export async function runWatch(context: Context, job: WatchJob): Promise<void> {
  const { client, rules, choices, everyMs, since, file, print } = job;
  const storedState = file?.storedState ?? new StoredWatchState();
  // Aborted when an outcome cannot be stored, which ends the watch.
  const broken = new AbortController();
  const deliveries = job.receivers.map((receiver) => deliveriesTo(context, job, receiver, broken));
  const events = new FleetEvents<CallOptions>({
    rules,
    since,
    reads: eventReads(context, client, rules),
    scopes: ruleScopes(context, client, rules, choices),
    state: { vehicles: storedState.vehicles, geofences: storedState.geofences },
    zone: context.zone.name,
    now: () => serviceNow(context),
    // Each warning is emitted once while it holds.
    warn: (_, message) => note(context, `! ${message}`),
  });
  const handleFound = async (found: FoundPart) => {
    const before = new Map(deliveries.map(({ name }) => [name, idsOf(storedState.waitingFor(name))]));
    // Printed before storing: a watch that is killed here prints and delivers the events again.
    await print(found.events);
    const record = { kind: 'round', ...found, receivers: deliveries.map(({ name }) => name) } as const;
    if (file === null) storedState.applyRecord(record);
    else file.write(record);
    for (const { name, queue } of deliveries) {
      queue.add(found.events.filter(({ id }) => before.get(name)?.has(id) !== true));
    }
  };
  for (const { name, queue } of deliveries) queue.add(storedState.waitingFor(name));
  try {
    const what = [...new Set(rules.map(ruleText))].join(', ');
    await pollFleet(context, { everyMs, what }, broken.signal, async (options) => {
      for (const { queue, label } of deliveries) await waitForRoom(context, queue, label, broken.signal);
      for await (const found of events.pollOnce(options)) await handleFound(found);
      return events.size;
    });
  } finally {
    await Promise.all(deliveries.map(({ queue }) => queue.end(DRAIN_MS)));
    file?.close();
    const left = deliveries.reduce((sum, { queue }) => sum + queue.size, 0);
    if (left > 0) note(context, leftText(left, file !== null));
  }
}

async function pollFleet(
  context: Context,
  { everyMs, what }: { readonly everyMs: number; readonly what: string },
  broken: AbortSignal,
  once: (options: CallOptions) => Promise<number>,
): Promise<void> {
  let reported: readonly string[] = [];
  let isFirst = true;
  const polled = pollUntilInterrupted(context, everyMs, (options) => {
    broken.throwIfAborted();
    return once(options);
  });
  for await (const event of polled) {
    if (event.kind === 'outage') {
      note(context, outageText(event, context.zone.name));
      continue;
    }
    if (event.outageMs !== null) note(context, recoveryText(event.outageMs));
    for (const warning of event.warnings) if (!reported.includes(warning)) note(context, `! ${warning}`);
    reported = event.warnings;
    if (isFirst)
      note(
        context,
        `Watching ${vehiclesText(event.answer)} for ${what}; every ${durationText(everyMs)}. Ctrl-C to stop.`,
      );
    isFirst = false;
  }
}

function deliveriesTo(context: Context, { file, flags }: WatchJob, receiver: Receiver, broken: AbortController) {
  const { name, label } = receiver;
  const done = ({ id }: FleetEvent) => file?.write({ kind: 'done', receiver: name, id });
  const queue = new Deliveries({
    receiver,
    giveUpAfterMs: flags.retryFor ?? GIVE_UP_AFTER_MS,
    // The clock of `foundAt`.
    now: () => serviceNow(context),
    timers: realTimers,
    random: Math.random,
    onDelivered: done,
    onRefused(event, reason) {
      file?.addDeadLetter(name, event, reason);
      done(event);
      const where = file === null ? 'lost' : `in ${file.deadLetters}`;
      note(context, `! ${label}: event ${event.id} was not delivered: ${reason}. It is ${where}.`);
    },
    onFailing(reason, waitMs) {
      const again = `Trying again in ${durationText(Math.max(1_000, waitMs), 1)}`;
      note(context, `! ${label}: ${reason}. ${again}; ${eventsText(queue.size)} waiting.`);
    },
    onRecovered: () => note(context, `! ${label}: events are delivered again.`),
    onFatal: (error) => broken.abort(error),
  });
  return { name, label, queue };
}

/** Waits while a receiver has too many pending events. */
async function waitForRoom(context: Context, queue: Deliveries, label: string, broken: AbortSignal): Promise<void> {
  if (queue.size < MOST_WAITING) return;
  note(context, `! ${label}: ${eventsText(queue.size)} waiting, so polling pauses until some are delivered.`);
  await queue.until(MOST_WAITING / 2, AbortSignal.any([context.io.signal, broken]));
}

function idsOf(events: readonly FleetEvent[]): ReadonlySet<string> {
  return new Set(events.map(({ id }) => id));
}

function leftText(count: number, isKept: boolean): string {
  return isKept
    ? `${eventsText(count)} not delivered yet; the next watch delivers them.`
    : `${eventsText(count)} not delivered.`;
}

function eventsText(count: number): string {
  return count === 1 ? '1 event is' : `${count} events are`;
}

function vehiclesText(count: number): string {
  return count === 1 ? '1 vehicle' : `${count} vehicles`;
}
