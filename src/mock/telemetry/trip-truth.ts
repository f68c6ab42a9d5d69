// The ground truth of a leg, against which tests check trips that are rebuilt from rows.

import { type DrivenLeg, isReported, odometerKm, parkedAt, positionAt, roundTo } from './driven-leg.js';
import type { HarshEventType, TripTruth } from './types.js';

export function tripTruth(drivenLeg: DrivenLeg): TripTruth {
  const { leg, schedule, totals } = drivenLeg;
  const harshEvents: { [Type in HarshEventType]?: number } = {};
  leg.course.events.forEach(({ type }, i) => {
    if (isReported(drivenLeg, i)) harshEvents[type] = (harshEvents[type] ?? 0) + 1;
  });
  return {
    vehicleId: schedule.vehicle.id,
    start: drivenLeg.start,
    end: drivenLeg.end,
    distanceKm: leg.distanceM / 1000,
    fuelLitres: leg.fuelMl / 1000,
    idleMs: leg.idleMs,
    topSpeedKmh: roundTo(leg.topSpeed * 3.6, 10),
    harshEvents,
    startPosition: positionAt(schedule, leg.road[0] ?? { latitude: 0, longitude: 0 }),
    endPosition: parkedAt(schedule, leg).position,
    startOdometerKm: odometerKm(totals.metres),
    endOdometerKm: odometerKm(totals.metres + leg.distanceM),
  };
}
