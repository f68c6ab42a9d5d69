// The limits for reading trips, and what is read: their defaults and the check of a caller's options.
import { InvalidInputError } from '../../core/errors.js';
import { defaultLateMs } from './reorder-buffer.js';
import type { PeriodTripOptions, TripOptions } from './trip.js';

export type TripLimits = { readonly [Name in keyof TripOptions]-?: NonNullable<TripOptions[Name]> };

const defaultLimits: TripLimits = {
  closeAfterMs: 120_000,
  silenceMs: 6 * 3_600_000,
  lateMs: defaultLateMs,
  fastestKmh: 250,
  movingKmh: 2,
  withTrack: false,
};

/** @throws {InvalidInputError} for an unknown option, or one whose value cannot be used. */
export function tripLimits(options: TripOptions | undefined): TripLimits {
  const limits: Record<string, number | boolean> = { ...defaultLimits };
  for (const [name, value] of Object.entries(options ?? {})) {
    // Null counts as left out.
    if (value === undefined || value === null) continue;
    if (!Object.hasOwn(defaultLimits, name)) {
      throw new InvalidInputError(`Trips have an unknown option; there are ${Object.keys(defaultLimits).join(', ')}.`);
    }
    if (name === 'withTrack') {
      if (typeof value !== 'boolean') {
        throw new InvalidInputError('The option withTrack of trips must be true or false.');
      }
    } else if (typeof value !== 'number' || !(value >= 0)) {
      throw new InvalidInputError(`The option ${name} of trips must be a number of 0 or more.`);
    }
    limits[name] = value;
  }
  // A copy of the defaults, so every limit is set.
  return limits as TripLimits;
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
    clip,
    ...call
  }: Options & PeriodTripOptions =
    // No options are an empty object.
    options ?? ({} as Options & PeriodTripOptions);
  const limits = tripLimits({ closeAfterMs, silenceMs, lateMs, fastestKmh, movingKmh, withTrack });
  return { limits, clip: clip === true, call };
}
