// The limits that trips are read by: the defaults, and the check of what a caller says instead.
import { InvalidInputError } from '../../core/errors.js';
import type { TripOptions } from './trip.js';

export type TripLimits = { readonly [Name in keyof TripOptions]-?: number };

const defaults: TripLimits = {
  closeAfterMs: 120_000,
  silenceMs: 6 * 3_600_000,
  lateMs: 60_000,
  fastestKmh: 250,
  movingKmh: 2,
};

/** @throws {InvalidInputError} for an option that does not exist, or is no number of 0 or more. */
export function tripLimits(options: TripOptions | undefined): TripLimits {
  const rules: Record<string, number> = { ...defaults };
  for (const [name, value] of Object.entries(options ?? {})) {
    // Null is the same as leaving it out.
    if (value === undefined || value === null) continue;
    if (!Object.hasOwn(defaults, name)) {
      throw new InvalidInputError(`Trips have no option of this name; there are ${Object.keys(defaults).join(', ')}.`);
    }
    if (typeof value !== 'number' || !(value >= 0)) {
      throw new InvalidInputError(`The option ${name} of trips must be a number of 0 or more.`);
    }
    rules[name] = value;
  }
  // Made of the defaults, so every rule is there.
  return rules as TripLimits;
}

/** Parts what a caller says of trips from what is said of the calls that read them. */
export function splitTripOptions<Options extends object>(
  options: (Options & TripOptions) | null | undefined,
): { readonly rules: TripLimits; readonly call: Omit<Options, keyof TripOptions> } {
  const { closeAfterMs, silenceMs, lateMs, fastestKmh, movingKmh, ...call }: Options & TripOptions =
    // Nothing said is an object without members.
    options ?? ({} as Options & TripOptions);
  return { rules: tripLimits({ closeAfterMs, silenceMs, lateMs, fastestKmh, movingKmh }), call };
}
