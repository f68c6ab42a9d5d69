// The selected day as GPX, as in the command line, and CSV.

import type { Segment } from 'fleet-telematics/kit';
import { gpxOf } from 'fleet-telematics/kit';
import { latitudeOf, longitudeOf } from './mercator.js';
import type { Track } from './track.js';

export interface ExportedPositions {
  readonly vehicleId: string;
  readonly name: string;
  readonly track: Track;
  readonly from: number;
  readonly to: number;
}

export async function gpxFile(positions: ExportedPositions): Promise<string> {
  let text = '';
  for await (const part of gpxOf(segmentsOf(positions))) text += part;
  return text;
}

/** Times are in UTC. */
export function csvFile(positions: ExportedPositions): string {
  const lines = segmentsOf(positions).flatMap(({ fixes }) =>
    fixes.map(({ time, latitude, longitude, speed }) =>
      [cell(positions.name), new Date(time).toISOString(), latitude, longitude, speed ?? ''].join(','),
    ),
  );
  return ['vehicle,time,latitude,longitude,speed_kmh', ...lines, ''].join('\n');
}

function segmentsOf({ vehicleId, name, track, from, to }: ExportedPositions): readonly Segment[] {
  const segments: Segment['fixes'][number][][] = [];
  track.times.forEach((time, index) => {
    if (time < from || time > to) return;
    if (track.begins[index] === 1 || segments.length === 0) segments.push([]);
    const speed = track.speeds[index] ?? -1;
    segments.at(-1)?.push({
      ...{ vehicleId, time, altitude: null, direction: null, ignition: null },
      latitude: degrees(latitudeOf(track.y[index] ?? 0)),
      longitude: degrees(longitudeOf(track.x[index] ?? 0)),
      speed: speed < 0 ? null : speed,
    });
  });
  const one = { kind: 'segment', vehicleId, name, continues: false } as const;
  return segments.map((fixes, index) => ({ ...one, number: index + 1, fixes }));
}

/** Rounds to the precision of tracks. */
const degrees = (value: number) => Math.round(value * 100_000) / 100_000;

/** A cell must not be a formula of a spreadsheet. */
function cell(text: string): string {
  const safe = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
