// Reads today's trips of a vehicle for `vehicles get`. Omitted when it fails or is slow.

import { withTimeLimit } from '../../../core/time-limit.js';
import { DAY_MS, momentAt, offsetAt } from '../../../core/time-zone.js';
import type { FleetClient, Trip } from '../../../index.js';
import { type Context, serviceNow } from '../../context/context.js';
import type { VehicleDay } from '../../views/vehicle-day.js';
import { DayParts } from '../trips/day-parts.js';

/** Short, because the user did not request it. */
const TIME_LIMIT_MS = 5_000;

export async function readToday(context: Context, client: FleetClient, vehicleId: string): Promise<VehicleDay | null> {
  const { signal } = context.io;
  const now = serviceNow(context);
  const zone = context.zone.name;
  const wall = Math.floor((now + offsetAt(now, zone)) / DAY_MS) * DAY_MS;
  const [from, end] = [momentAt(wall, zone), momentAt(wall + DAY_MS, zone)];
  const period = { vehicleId, from: new Date(from), to: new Date(now) };
  const trips: Trip[] = [];
  try {
    await withTimeLimit(signal, TIME_LIMIT_MS, async (limited) => {
      for await (const trip of client.streamTrips(period, { clip: true, signal: limited })) trips.push(trip);
    });
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
  const parts = new DayParts({ from, end });
  for (const trip of trips) parts.add(trip);
  return {
    trips: trips.length,
    distanceKm: trips.reduce((sum, { distanceKm }) => sum + distanceKm, 0),
    hours: parts.hours(now),
  };
}
