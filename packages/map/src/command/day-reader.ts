// Reads a vehicle's day for the live map; today incrementally, from the start of a trip in
// progress.

import type { FleetClient } from 'fleet-telematics';
import type { Warning } from 'fleet-telematics/kit';
import { timestampMs } from 'fleet-telematics/kit';
import { type Context, currentDrivers, serviceNow } from 'fleet-telematics/kit/command';
import { type DayData, type DaySnapshot, mapDay, type PlaceNaming } from '../day.js';
import type { MapDate, MapDay } from '../shapes.js';
import { problemOfWarning } from './map-problem.js';
import { readDays } from './read-days.js';

/** Age after which the whole day is read again, because devices send some snapshots late. */
const WHOLE_DAY_MAX_AGE_MS = 300_000;

interface CachedDay {
  readonly vehicleId: string;
  readonly day: string;
  readonly readAt: number;
  readonly data: Omit<DayData, 'assigned'>;
  readonly until: number;
  readonly assigned: string | null;
}

export class DayReader {
  readonly #context: Context;
  readonly #client: FleetClient;
  readonly #naming: () => PlaceNaming;
  /** Today's data of the last requested vehicle: a page shows one day at a time. */
  #cached: CachedDay | null = null;

  constructor(context: Context, client: FleetClient, naming: () => PlaceNaming) {
    this.#context = context;
    this.#client = client;
    this.#naming = naming;
  }

  /** Rejects with the error of the service when the day cannot be read. */
  async read(vehicleId: string, date: MapDate, signal: AbortSignal): Promise<MapDay> {
    const now = serviceNow(this.#context);
    const before = this.#cachedOf(vehicleId, date, now);
    const [read, assigned] = await Promise.all([
      this.#readFrom(vehicleId, date, before, signal),
      before === null ? this.#assigned(vehicleId, signal) : before.assigned,
    ]);
    const { from, to: end } = date;
    const to = Math.min(end - 1, serviceNow(this.#context));
    if (to < end - 1) this.#cached = { ...read, assigned, readAt: before?.readAt ?? now };
    const naming = this.#naming();
    const driver = assigned === null ? null : naming.driver(assigned);
    return mapDay(vehicleId, { from, to }, { ...read.data, assigned: driver }, naming);
  }

  #cachedOf(vehicleId: string, { day }: MapDate, now: number): CachedDay | null {
    const cached = this.#cached;
    const isOf = cached !== null && cached.vehicleId === vehicleId && cached.day === day;
    return isOf && now - cached.readAt < WHOLE_DAY_MAX_AGE_MS ? cached : null;
  }

  async #readFrom(
    vehicleId: string,
    { day, from, to: end }: MapDate,
    before: CachedDay | null,
    signal: AbortSignal,
  ): Promise<Omit<CachedDay, 'readAt' | 'assigned'>> {
    const begin = before?.until ?? from;
    const warnings = new Map(before?.data.warnings.map((warning) => [warning.message, warning]));
    const onWarning = (warning: Warning) => void warnings.set(warning.message, problemOfWarning(warning));
    const days = await readDays(this.#client, [vehicleId], { from: begin, end }, { signal, onWarning });
    const read = days.get(vehicleId);
    if (read === undefined) throw new Error('The day of the vehicle was asked for.');
    if (read.error !== null) throw read.error;
    const isBefore = (time: string | number | null | undefined) => (timestampMs(time) ?? begin) < begin;
    const { trips, rows, notes } = read;
    const earlierTrips = before?.data.trips.filter(({ startedAt }) => isBefore(startedAt)) ?? [];
    const earlierRows: readonly DaySnapshot[] = before?.data.rows.filter(({ timestamp }) => isBefore(timestamp)) ?? [];
    const data = {
      trips: [...earlierTrips, ...trips],
      rows: [...earlierRows, ...rows],
      notes,
      warnings: [...warnings.values()],
    };
    return { vehicleId, day, data, until: read.until };
  }

  async #assigned(vehicleId: string, signal: AbortSignal): Promise<string | null> {
    const { byVehicle } = await currentDrivers(this.#context, this.#client, [{ vehicleId }], { signal });
    return byVehicle.get(vehicleId) ?? null;
  }
}
