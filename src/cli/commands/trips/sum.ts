// Sum of parts of trips. Values are added as whole thousandths: sums are exact in any order.
import type { SumCosts, TripSumValues, ValuesOfParts } from '../../views/trip-sum.js';
import { type SummedPart, thousandths } from './trip-parts.js';

/** The time from the first start to the last end of one vehicle or driver on one day. */
interface WorkSpan {
  start: number;
  end: number;
  /** In trips, in thousandths of a second. */
  onTrips: number;
}

interface Reading {
  readonly at: string;
  readonly km: number;
}

/** `isByDriver`: the days of drivers are summed as time at work, else those of vehicles. */
export type SumOptions = SumCosts & {
  readonly isByDriver: boolean;
  readonly withParts: boolean;
  readonly withVisits: boolean;
};

export class Sum {
  readonly #options: SumOptions;
  readonly #vehicles = new Set<string>();
  readonly #counters = new Set<string>();
  readonly #workSpans = new Map<string, WorkSpan>();
  #trips = 0;
  /** The parts of a trip come together. */
  #lastTripId = '';
  #first = '';
  #last = '';
  #distance = 0;
  #duration = 0;
  #moving = 0;
  #idle = 0;
  #unseen = 0;
  #fuel: number | null = null;
  /** Only the litres: other counters have no known unit. */
  #litres: number | null = null;
  #distanceOfLitres = 0;
  #topSpeedKmh: number | null = null;
  #odometerStart: Reading | null = null;
  #odometerEnd: Reading | null = null;
  #visits = 0;

  constructor(options: SumOptions) {
    this.#options = options;
  }

  add(part: SummedPart): void {
    if (part.tripId !== this.#lastTripId) this.#trips++;
    this.#lastTripId = part.tripId;
    this.#vehicles.add(part.vehicleId);
    this.#distance += thousandths(part.distanceKm);
    this.#duration += thousandths(part.durationSeconds);
    this.#moving += thousandths(part.movingSeconds);
    this.#idle += thousandths(part.idleSeconds);
    this.#unseen += thousandths(part.unseenSeconds);
    this.#visits += part.visits;
    if (part.topSpeedKmh !== null) this.#topSpeedKmh = Math.max(this.#topSpeedKmh ?? 0, part.topSpeedKmh);
    this.#addTimes(part);
    this.#addOdometer(part);
    this.#addFuel(part);
  }

  get values(): TripSumValues {
    const { idleCost, fuelPrice } = this.#options;
    const [litres, km] = [this.#litres, this.#distanceOfLitres];
    return {
      distanceKm: this.#distance / 1000,
      trips: this.#trips,
      vehicles: this.#vehicles.size,
      durationSeconds: this.#duration / 1000,
      movingSeconds: this.#moving / 1000,
      idleSeconds: this.#idle / 1000,
      unseenSeconds: this.#unseen / 1000,
      topSpeedKmh: this.#topSpeedKmh,
      fuelUsed: this.#fuel === null ? null : this.#fuel / 1000,
      fuelBy: [...this.#counters].sort().join(';') || null,
      litresPer100Km: litres === null || km === 0 ? null : Math.round((litres / km) * 10_000) / 100,
      ...(this.#options.withParts && this.#valuesOfParts),
      ...(this.#options.withVisits && { visits: this.#visits }),
      ...(idleCost === null ? {} : { idleCost: money((this.#idle / 3_600_000) * idleCost) }),
      ...(fuelPrice === null ? {} : { fuelCost: litres === null ? null : money((litres / 1000) * fuelPrice) }),
    };
  }

  get #valuesOfParts(): ValuesOfParts {
    const spans = [...this.#workSpans.values()];
    const isOfOne = this.#vehicles.size === 1;
    return {
      firstStartedAt: this.#first || null,
      lastEndedAt: this.#last || null,
      workSeconds: spans.reduce((sum, { start, end }) => sum + (end - start), 0) / 1000,
      // A driver who is identified in two vehicles at a time has more trip time than time at work.
      standingSeconds:
        spans.reduce((sum, { start, end, onTrips }) => sum + Math.max(0, end - start - onTrips), 0) / 1000,
      odometerStartKm: isOfOne ? (this.#odometerStart?.km ?? null) : null,
      odometerEndKm: isOfOne ? (this.#odometerEnd?.km ?? null) : null,
    };
  }

  get distanceWithoutLitresKm(): number {
    return (this.#distance - this.#distanceOfLitres) / 1000;
  }

  #addTimes({ vehicleId, driverId, day, startedAt, endedAt, durationSeconds }: SummedPart): void {
    if (this.#first === '' || startedAt < this.#first) this.#first = startedAt;
    if (endedAt > this.#last) this.#last = endedAt;
    const worker = (this.#options.isByDriver ? driverId : null) ?? vehicleId;
    const [start, end] = [Date.parse(startedAt), Date.parse(endedAt)];
    const key = `${worker} ${day}`;
    const span = this.#workSpans.get(key);
    const onTrips = thousandths(durationSeconds);
    if (span === undefined) {
      this.#workSpans.set(key, { start, end, onTrips });
      return;
    }
    span.start = Math.min(span.start, start);
    span.end = Math.max(span.end, end);
    span.onTrips += onTrips;
  }

  #addOdometer({ startedAt, endedAt, odometerStartKm, odometerEndKm }: SummedPart): void {
    const [first, last] = [this.#odometerStart, this.#odometerEnd];
    if (odometerStartKm !== null && (first === null || startedAt < first.at)) {
      this.#odometerStart = { at: startedAt, km: odometerStartKm };
    }
    if (odometerEndKm !== null && (last === null || endedAt >= last.at)) {
      this.#odometerEnd = { at: endedAt, km: odometerEndKm };
    }
  }

  #addFuel({ fuelUsed, fuelBy, distanceKm }: SummedPart): void {
    if (fuelUsed === null) return;
    this.#fuel = (this.#fuel ?? 0) + thousandths(fuelUsed);
    if (fuelBy !== null) this.#counters.add(fuelBy);
    if (fuelBy !== 'canTripFuelUsed') return;
    this.#litres = (this.#litres ?? 0) + thousandths(fuelUsed);
    this.#distanceOfLitres += thousandths(distanceKm);
  }
}

function money(amount: number): number {
  // More digits than a table shows, so that the rows add up to the total.
  return Math.round(amount * 10_000) / 10_000;
}
