// The time zone of one run: --time-zone, FLEET_TIME_ZONE, TZ, or the machine.
import { closestNames } from '../../core/suggestions.js';
import { canonicalZone, isMissingZone, zoneFromTz } from '../../core/time-zone.js';
import { refusal } from '../errors/cli-error.js';
import type { Env } from '../io/child-env.js';

interface ZoneFlags {
  readonly timeZone?: string;
}

export interface ChosenZone {
  /** IANA name; undefined for the zone of the machine. */
  readonly name: string | undefined;
  /** True with --time-zone: csv has local times too. */
  readonly isByFlag: boolean;
}

export function zoneName({ name }: ChosenZone): string {
  return name ?? new Intl.DateTimeFormat('en').resolvedOptions().timeZone;
}

/** @throws CliError USAGE for a zone that does not exist */
export function chosenZone({ timeZone }: ZoneFlags, env: Env): ChosenZone {
  if (timeZone !== undefined) return { name: requireZone(timeZone, '--time-zone'), isByFlag: true };
  const preset = env.FLEET_TIME_ZONE;
  if (preset) return { name: requireZone(preset, 'FLEET_TIME_ZONE'), isByFlag: false };
  const { TZ } = env;
  if (TZ && isMissingZone(TZ)) requireZone(TZ.replace(/^:/, ''), 'TZ');
  return { name: zoneFromTz(TZ), isByFlag: false };
}

function requireZone(text: string, where: string): string {
  const zone = canonicalZone(text.trim());
  if (zone !== undefined) return zone;
  const all = Intl.supportedValuesOf('timeZone');
  // People type the city: `Tallinn` is Europe/Tallinn.
  const city = text.trim().toLowerCase().replaceAll(' ', '_');
  const ofCity = all.filter((name) => name.toLowerCase().endsWith(`/${city}`));
  const near = ofCity.length > 0 ? ofCity : closestNames(text, all);
  throw refusal(`${where} "${text}" is not a time zone.`, {
    hint:
      near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'Write it as Europe/Tallinn, America/New_York or UTC.',
  });
}
