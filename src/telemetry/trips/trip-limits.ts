// The limits for reading trips, and what is read: their defaults and the check of a caller's options.
import { type Checks, checkOptions, flag, numberFrom } from '../../core/option-checks.js';
import { defaultLateMs } from './reorder-buffer.js';
import type { PeriodTripOptions, TripOptions } from './trip.js';

export type TripLimits = { readonly [Name in keyof TripOptions]-?: NonNullable<TripOptions[Name]> };

export const defaultLimits: TripLimits = {
  closeAfterMs: 120_000,
  silenceMs: 6 * 3_600_000,
  lateMs: defaultLateMs,
  fastestKmh: 250,
  movingKmh: 2,
  withTrack: false,
  withDetails: false,
  speedLimitKmh: 90,
};

export const tripChecks: Checks<keyof TripOptions> = {
  closeAfterMs: numberFrom(0),
  silenceMs: numberFrom(0),
  lateMs: numberFrom(0),
  fastestKmh: numberFrom(0),
  movingKmh: numberFrom(0),
  withTrack: flag,
  withDetails: flag,
  speedLimitKmh: numberFrom(0),
};

/** @throws {InvalidInputError} for an unknown option, or one whose value cannot be used. */
export function tripLimits(options: TripOptions | undefined): TripLimits {
  // Null counts as left out.
  const given = Object.entries(options ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const limits: TripOptions = Object.fromEntries(given);
  checkOptions(limits, tripChecks, 'trips');
  // A copy of the defaults, so every limit is set.
  return { ...defaultLimits, ...limits } as TripLimits;
}

/** Separates the options of trips from those of the calls that read them. */
export function splitTripOptions<Options extends object>(
  options: (Options & PeriodTripOptions) | null | undefined,
): { readonly limits: TripLimits; readonly clip: boolean; readonly call: Omit<Options, keyof PeriodTripOptions> } {
  const {
    closeAfterMs,
    silenceMs,
    lateMs,
    fastestKmh,
    movingKmh,
    withTrack,
    withDetails,
    speedLimitKmh,
    clip,
    ...call
  }: Options & PeriodTripOptions =
    // No options are an empty object.
    options ?? ({} as Options & PeriodTripOptions);
  const own = { closeAfterMs, silenceMs, lateMs, fastestKmh, movingKmh, withTrack, withDetails, speedLimitKmh };
  const limits = tripLimits(own);
  return { limits, clip: clip === true, call };
}
