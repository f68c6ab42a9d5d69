// The options for reading trips: their defaults, and the check of a caller's options.
import { isObject } from '../../core/json.js';
import { type Checks, checkOptions, demand, flag, numberFrom } from '../../core/option-checks.js';
import { canonicalZone } from '../../core/time-zone.js';
import { type ShapesById, shapesById } from '../visits/visit-detector.js';
import { defaultLateMs } from './reorder-buffer.js';
import type { PeriodTripOptions, TripOptions } from './trip.js';

export type TripLimits = {
  readonly [Name in Exclude<keyof TripOptions, 'geofences' | 'timeZone'>]-?: NonNullable<TripOptions[Name]>;
} & { readonly geofences: ShapesById; readonly timeZone: string | null };

export const defaultLimits: TripLimits = {
  closeAfterMs: 120_000,
  silenceMs: 6 * 3_600_000,
  lateMs: defaultLateMs,
  fastestKmh: 250,
  movingKmh: 2,
  withTrack: false,
  withDetails: false,
  speedLimitKmh: 90,
  geofences: new Map(),
  timeZone: null,
};

export const tripChecks: Checks<keyof TripOptions> = {
  closeAfterMs: numberFrom(0),
  silenceMs: numberFrom(0),
  lateMs: numberFrom(0),
  fastestKmh: numberFrom(0),
  movingKmh: numberFrom(0),
  withTrack: flag,
  withDetails: demand((value) => typeof value === 'boolean' || value === 'parts', 'true, false or "parts"'),
  speedLimitKmh: numberFrom(0),
  geofences: demand(isGeofences, 'a list of geofences, each with an id and its GeoJSON'),
  timeZone: demand(isZone, 'an IANA time zone'),
};

/**
 * Adds the defaults.
 * @throws {InvalidInputError} for an unknown option, or one whose value cannot be used.
 */
export function tripLimits(options: TripOptions | undefined): TripLimits {
  const definedOptions = Object.entries(options ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const limits: TripOptions = Object.fromEntries(definedOptions);
  checkOptions(limits, tripChecks, 'trips');
  const { geofences, ...others } = limits;
  // Safe cast: a copy of the defaults sets every limit.
  return { ...defaultLimits, ...others, ...(geofences && { geofences: shapesById(geofences) }) } as TripLimits;
}

function isZone(value: unknown): boolean {
  return value === 'local' || (typeof value === 'string' && canonicalZone(value) !== undefined);
}

function isGeofences(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => isObject(one) && typeof one.id === 'string');
}

/** Separates the options of trips from those of the calls that read them. */
export function splitTripOptions<Options extends object>(
  options: (Options & PeriodTripOptions) | null | undefined,
): { readonly limits: TripLimits; readonly clip: boolean; readonly call: Omit<Options, keyof PeriodTripOptions> } {
  const { clip, ...others } = options ?? ({} as Options & PeriodTripOptions);
  const entries = Object.entries(others);
  const isLimit = ([name]: readonly [string, unknown]) => Object.hasOwn(tripChecks, name);
  const limits = tripLimits(Object.fromEntries(entries.filter(isLimit)));
  // Safe cast: all options of trips are removed.
  const call = Object.fromEntries(entries.filter((entry) => !isLimit(entry))) as Omit<Options, keyof PeriodTripOptions>;
  return { limits, clip: clip === true, call };
}
