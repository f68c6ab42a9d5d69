// Members that the inputs of several tools have, and the flags of the command line that they are.

import { timestampMs } from '../../../telemetry/timestamps.js';
import type { Context } from '../../context/context.js';
import { refusal } from '../../errors/cli-error.js';
import type { VehicleFlags } from '../../find/vehicles.js';
import type { JsonSchema } from '../../mcp/tool.js';
import type { PeriodFlags } from '../../parse/time.js';
import { localTime } from '../../time/local-time.js';

export interface PeriodInput {
  readonly on?: string;
  readonly from?: string;
  readonly to?: string;
}

/** Either `on`, or `from` with or without `to`. */
export const periodInput: Readonly<Record<string, JsonSchema>> = {
  on: {
    type: 'string',
    description: 'a whole day, week or month; in place of from and to',
    examples: [
      'yesterday',
      'today',
      'monday',
      'last week',
      'this month',
      '3 days ago',
      '2026-03-01',
      '2026-W09',
      '2026-03',
    ],
  },
  from: {
    type: 'string',
    description: 'start of the period',
    examples: ['-2h', 'today 08:00', 'yesterday 14:30', '2026-03-01T08:30:00Z'],
  },
  to: { type: 'string', description: 'end of the period; default: now', examples: ['now', 'today 12:00'] },
};

export function periodFlags({ on, from, to }: PeriodInput): PeriodFlags {
  return {
    ...(on === undefined ? {} : { on }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

/** @throws CliError USAGE when there is none */
export function requiredPeriod(input: PeriodInput): PeriodFlags {
  if (hasPeriod(input)) return periodFlags(input);
  throw refusal('No period is given.', { hint: 'Give on, such as "yesterday" or "last week", or from and to.' });
}

export function hasPeriod({ on, from, to }: PeriodInput): boolean {
  return [on, from, to].some((one) => one !== undefined);
}

export interface VehiclesInput {
  readonly vehicles?: readonly string[];
  readonly group?: string;
  readonly label?: string;
}

const names = { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 100 } as const;

/** Which vehicles of the whole fleet. */
export const membersInput: Readonly<Record<string, JsonSchema>> = {
  group: {
    type: 'string',
    description: 'only vehicles of this group and the groups below it; not together with vehicles',
  },
  label: { type: 'string', description: 'only vehicles with this label; not together with vehicles' },
};

/** Without them: all vehicles. */
export const vehiclesInput: Readonly<Record<string, JsonSchema>> = {
  vehicles: {
    ...names,
    description: 'names, licence plates, VINs or ids; default: all',
    examples: [['Truck 07', '510 JDR']],
  },
  ...membersInput,
};

export const namesInput = names;

export function vehicleFlags({ group, label }: VehiclesInput): VehicleFlags {
  return { ...(group === undefined ? {} : { group: [group] }), ...(label === undefined ? {} : { label: [label] }) };
}

/** A time of the service in the zone of the run; null when it has none that can be read. */
export function localOf(context: Context, time: string | number | null | undefined): string | null {
  const moment = timestampMs(time);
  return moment === null ? null : localTime(moment, 'second', { zone: context.zone.name, offset: null });
}

export function roundTo(value: number | null | undefined, decimals = 0): number | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor;
}

/** `1 trip`, `12 trips`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** `Truck 07, Van 01 and 12 more`. */
export function someOf(all: readonly string[], most = 5): string {
  const shown = all.slice(0, most).join(', ');
  return all.length > most ? `${shown} and ${all.length - most} more` : shown;
}
