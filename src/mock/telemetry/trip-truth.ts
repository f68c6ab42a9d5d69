// The ground truth of a leg, which tests compare with trips reconstructed from rows.

import { type DrivenLeg, isReported, odometerKm, parkedAt, positionAtCorner, roundTo } from './driven-leg.js';
import { motionAt } from './motion.js';
import type { HarshEventType, TripPart, TripTruth } from './types.js';

export function tripTruth(drivenLeg: DrivenLeg): TripTruth {
  const { leg, schedule } = drivenLeg;
  const { isContinued, ...whole } = tripPart(drivenLeg, drivenLeg.start, drivenLeg.end);
  return {
    vehicleId: schedule.vehicle.id,
    ...whole,
    startPosition: positionAtCorner(schedule, leg.road[0] ?? { latitude: 0, longitude: 0 }),
    endPosition: parkedAt(schedule, leg).position,
  };
}

/** Returns the part of a leg from `from` to before `to`. */
export function tripPart(drivenLeg: DrivenLeg, from: number, to: number): TripPart {
  const { leg, totals } = drivenLeg;
  const start = Math.max(from, drivenLeg.start);
  const end = Math.min(to, drivenLeg.end);
  const [startMs, endMs] = [start - drivenLeg.start, end - drivenLeg.start];
  const [first, last] = [motionAt(leg, startMs), motionAt(leg, endMs)];
  const harshEvents: { [Type in HarshEventType]?: number } = {};
  leg.course.events.forEach(({ type, atMs }, i) => {
    const isInside = atMs >= startMs && (atMs < endMs || end === drivenLeg.end);
    if (isInside && isReported(drivenLeg, i)) harshEvents[type] = (harshEvents[type] ?? 0) + 1;
  });
  const topSpeed = leg.course.phases.reduce(
    (top, { atMs, speed }) => (atMs >= startMs && atMs < endMs ? Math.max(top, speed) : top),
    Math.max(first.speed, last.speed),
  );
  const [startMetres, endMetres] = [Math.round(first.metres), Math.round(last.metres)];
  return {
    start,
    end,
    isContinued: start > drivenLeg.start,
    distanceKm: (endMetres - startMetres) / 1000,
    fuelLitres: (last.fuel - first.fuel) / 1000,
    idleMs: last.idle - first.idle,
    topSpeedKmh: roundTo(topSpeed * 3.6, 10),
    harshEvents,
    startOdometerKm: odometerKm(totals.metres + startMetres),
    endOdometerKm: odometerKm(totals.metres + endMetres),
  };
}
