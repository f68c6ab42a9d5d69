/** What is known of a drive without looking at its rows: the truth that trips rebuilt from rows are checked against. */
import type { HarshEventType, TripTruth } from './rows.js';
import { isReported, type LegRun, odometerKm, parkedAt, round } from './run.js';

export function tripTruth(run: LegRun): TripTruth {
  const { leg, plan, totals } = run;
  const harshEvents: { [Type in HarshEventType]?: number } = {};
  leg.events.forEach(({ type }, i) => {
    if (isReported(run, i)) harshEvents[type] = (harshEvents[type] ?? 0) + 1;
  });
  return {
    vehicleId: plan.vehicle.id,
    start: run.start,
    end: run.end,
    distanceKm: leg.distanceM / 1000,
    fuelLitres: leg.fuelMl / 1000,
    idleMs: leg.idleMs,
    topSpeedKmh: round(leg.topSpeed * 3.6, 10),
    harshEvents,
    startPosition: {
      latitude: round((leg.road.latitudes[0] ?? 0) + plan.latitudeOffset, 1e6),
      longitude: round((leg.road.longitudes[0] ?? 0) + plan.longitudeOffset, 1e6),
    },
    endPosition: parkedAt(plan, leg).position,
    startOdometerKm: odometerKm(totals.metres),
    endOdometerKm: odometerKm(totals.metres + leg.distanceM),
  };
}
