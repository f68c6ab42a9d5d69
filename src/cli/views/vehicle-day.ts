// Formats the day of a vehicle: kilometres, trips, and a strip with a character for each hour.
import type { RenderOptions } from '../output/render-options.js';

export interface VehicleDay {
  readonly trips: number;
  readonly distanceKm: number;
  /** Share of each hour on a trip, from midnight to midnight; null for hours in the future. */
  readonly hours: readonly (number | null)[];
}

const bars = {
  unicode: ['·', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  ascii: ['.', '1', '2', '3', '4', '5', '6', '7', '8'],
};

/** Returns `124.3 km in 3 trips`. */
export function dayText({ trips, distanceKm }: VehicleDay): string {
  if (trips === 0) return 'no trip';
  return `${distanceKm.toFixed(1)} km in ${trips === 1 ? '1 trip' : `${trips} trips`}`;
}

/** Returns `0h ······▂█▅··█▃·           24h`; empty for a day without a trip. */
export function hourStrip({ trips, hours }: VehicleDay, options: RenderOptions): string {
  return trips === 0 ? '' : `0h ${hourCells(hours, options)} 24h`;
}

/** Returns a character for each hour, a space for hours in the future. */
export function hourCells(hours: VehicleDay['hours'], { ascii }: Pick<RenderOptions, 'ascii'>): string {
  const [none = '', ...levels] = ascii ? bars.ascii : bars.unicode;
  const drawn = hours.map((share) => {
    if (share === null) return ' ';
    return share <= 0 ? none : (levels[Math.min(levels.length, Math.ceil(share * levels.length)) - 1] ?? none);
  });
  return drawn.join('');
}
