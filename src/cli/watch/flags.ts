// Flags of `fleet watch`, and the rules that they define.
import { type Command, InvalidArgumentError } from 'commander';
import {
  type EventKind,
  eventKinds,
  InvalidRuleError,
  isGeofenceKind,
  isMomentary,
  readKind,
} from '../../telemetry/events/event-rule.js';
import type { Weekday } from '../../telemetry/events/weekly-hours.js';
import { CliError, refusal } from '../errors/cli-error.js';
import { addVehicleFlags, type VehicleFlags } from '../find/vehicles.js';
import { duration, every } from '../live/flags.js';
import { repeatable } from '../parse/repeatable.js';
import {
  type AlertRule,
  completeAlertRule,
  readBattery,
  readName,
  readRuleDuration,
  readSpeedLimit,
  readWeekdays,
} from './alert-rule.js';

export interface AlertFlags extends VehicleFlags {
  readonly on?: readonly EventKind[];
  readonly for?: RuleDurations;
  readonly speedLimit?: number;
  readonly batteryBelow?: number;
  readonly resolved?: true;
  readonly geofence?: readonly string[];
  readonly between?: string;
  readonly days?: readonly Weekday[];
  readonly schedule?: string;
  readonly outsideSchedule?: string;
  readonly rules?: string;
  readonly every?: number;
  readonly since?: string;
  readonly state?: string;
  readonly exec?: string;
  /** May contain a secret: never print it. True: use FLEET_WEBHOOK_URL. */
  readonly post?: string | true;
  readonly secretFile?: string;
  readonly unsigned?: true;
  readonly retryFor?: number;
  readonly dryRun?: true;
}

/** Minimum durations of conditions, in milliseconds. */
interface RuleDurations {
  readonly all?: number;
  readonly byKind: ReadonlyMap<EventKind, number>;
}

export function addAlertFlags(command: Command): Command {
  return addVehicleFlags(
    command
      .option('--on <events>', `what to watch for, comma-separated: ${eventKinds.join(', ')}; repeat for more`, kinds)
      .option(
        '--for <duration>',
        'how long the condition must hold; idle=15m for one event, repeat for more (default: silent 90m, offline 6h, idle 10m, low-battery 5m, others 0)',
        lasting,
      )
      .option('--speed-limit <km/h>', 'what counts as speeding (default: 90)', readBy(readSpeedLimit))
      .option(
        '--battery-below <reading>',
        'low-battery: the reading of misc.power that is too low',
        readBy(readBattery),
      )
      .option('--resolved', 'also emit the end of a condition; not for geofence-enter, geofence-exit and ignition')
      .option('--geofence <geofence>', 'only this geofence; repeat for more', repeatable)
      .option('--between <hours>', 'count only in these local hours of the vehicle: 22:00-06:00')
      .option(
        '--days <days>',
        'count only on these days: mon,tue or mon-fri; hours after midnight belong to the day before',
        readBy(readWeekdays),
      )
      .option('--schedule <schedule>', 'count only in the hours of this work schedule', readBy(readName))
      .option(
        '--outside-schedule <schedule>',
        'count only outside of the hours of this work schedule',
        readBy(readName),
      )
      .option('--rules <file>', 'rules in a YAML or JSON file, in place of the flags above'),
  )
    .option('--every <duration>', 'pause between two requests; at least 1s (default: 30s)', every)
    .option('--since <time>', 'last: continue where the last watch stopped; or a time to start from (default: now)')
    .option('--exec <command>', 'run this in the shell for each event: values in FLEET_EVENT_…, JSON on stdin')
    .option('--post [url]', 'post each event as signed JSON to this address (default: FLEET_WEBHOOK_URL)')
    .option('--secret-file <file>', 'the secret that signs (default: FLEET_WEBHOOK_SECRET)')
    .option('--unsigned', 'post without a signature')
    .option(
      '--retry-for <duration>',
      'give up an event that could not be delivered for this long (default: 3d)',
      duration,
    )
    .option('--state <folder>', 'folder for its state and the undelivered events')
    .option('--dry-run', 'print the rules with their defaults; send nothing');
}

/** Returns the rules of --on and its thresholds. Throws CliError USAGE. */
export function rulesOfFlags({
  on,
  speedLimit,
  batteryBelow,
  resolved,
  geofence,
  between,
  days,
  schedule,
  outsideSchedule,
  ...flags
}: AlertFlags): readonly AlertRule[] {
  if (on === undefined) {
    throw refusal('There is nothing to watch for.', {
      hint: `Give --on with one or more of ${eventKinds.join(', ')}, or --rules with a file.`,
    });
  }
  const lasting: RuleDurations = flags.for ?? { byKind: new Map() };
  for (const kind of lasting.byKind.keys()) requireKind(on, [kind], `--for ${kind}=…`);
  if (speedLimit !== undefined) requireKind(on, ['speeding'], '--speed-limit');
  if (batteryBelow !== undefined) requireKind(on, ['low-battery'], '--battery-below');
  if (resolved)
    requireKind(
      on,
      eventKinds.filter((kind) => !isMomentary(kind)),
      '--resolved',
    );
  if (geofence !== undefined) requireKind(on, eventKinds.filter(isGeofenceKind), '--geofence');
  if (on.includes('low-battery') && batteryBelow === undefined) {
    throw refusal('--on low-battery needs --battery-below.', {
      hint: 'The service does not say at which voltage a battery is low: give 11.8 for cars with 12 V, 23.6 for trucks with 24 V.',
    });
  }
  try {
    return [...new Set(on)].map((kind) =>
      completeAlertRule({
        on: kind,
        forMs: lasting.byKind.get(kind) ?? lasting.all,
        speedLimitKmh: kind === 'speeding' ? speedLimit : undefined,
        batteryBelow: kind === 'low-battery' ? batteryBelow : undefined,
        resolved: resolved === true && !isMomentary(kind),
        geofences: isGeofenceKind(kind) ? geofence : undefined,
        between,
        days,
        schedule,
        outsideSchedule,
      }),
    );
  } catch (error) {
    throw error instanceof InvalidRuleError ? refusal(error.message) : error;
  }
}

const ruleFlags = [
  ...(['on', 'for', 'speedLimit', 'batteryBelow', 'resolved', 'geofence'] as const),
  ...(['between', 'days', 'schedule', 'outsideSchedule'] as const),
];

/** Refuses flags that a rules file replaces. */
export function refuseFlagsWithRules(flags: AlertFlags): void {
  const flagName = ruleFlags.find((name) => flags[name] !== undefined);
  if (flagName === undefined) return;
  const flag = `--${flagName.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw refusal(`Give either --rules or ${flag}.`, { hint: `Set it in a rule of the file: docs/alerts.md.` });
}

function requireKind(on: readonly EventKind[], required: readonly EventKind[], flag: string): void {
  if (required.some((kind) => on.includes(kind))) return;
  throw new CliError('USAGE', `${flag} is for ${required.join(' and ')}, which --on does not name.`, {
    undone: 'sent',
    hint: `Add it to --on, or leave out the flag.`,
  });
}

function kinds(text: string, previous: readonly EventKind[] | undefined): readonly EventKind[] {
  const names = text.split(',').filter((name) => name.trim() !== '');
  if (names.length === 0) throw new InvalidArgumentError(`The events are ${eventKinds.join(', ')}.`);
  return [...(previous ?? []), ...names.map(readBy(readKind))];
}

function lasting(text: string, previous: RuleDurations | undefined): RuleDurations {
  const { byKind, ...all } = previous ?? { byKind: new Map<EventKind, number>() };
  const [, kind, own] = /^([a-z-]+)=(.*)$/.exec(text) ?? [];
  if (kind === undefined || own === undefined) return { byKind, all: readBy(readRuleDuration)(text) };
  return { ...all, byKind: new Map([...byKind, [readBy(readKind)(kind), readBy(readRuleDuration)(own)]]) };
}

/** Returns a parser for commander, whose error names the flag. */
function readBy<Value>(read: (text: string) => Value): (text: string) => Value {
  return (text) => {
    try {
      return read(text);
    } catch (error) {
      throw error instanceof InvalidRuleError ? new InvalidArgumentError(error.message) : error;
    }
  };
}

/** Returns the address of --post. The error has no address, which may contain a secret. */
export function postAddress(text: string): URL {
  if (text === '') {
    throw refusal('--post needs an address.', {
      hint: 'Give it one, or set FLEET_WEBHOOK_URL, which other users of this machine cannot see.',
    });
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw refusal('--post needs a web address.', {
      hint: 'It begins with https:// or http://, such as https://example.com/fleet.',
    });
  }
  if (url.username === '' && url.password === '') return url;
  throw refusal('The address of --post has a user name or a password in it.', {
    hint: 'Leave them out: the signature proves to the receiver who sent the event.',
  });
}
