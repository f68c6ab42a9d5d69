// What the heat map is made of: in a file all tracks of the day or the period, at a time of the past the day of the chosen vehicle, and else the
// roads of the last day, which are read in any case.
import type { DayView } from './day-view.js';
import type { FileSource } from './file-source.js';
import type { Formats } from './format.js';
import type { HeatSource } from './heat-switch.js';
import { linesOfTrack } from './lines.js';
import { nameOf } from './list-order.js';
import type { ShownFleet } from './shown-fleet.js';
import type { Surroundings } from './surroundings.js';

export interface HeatSourceModel {
  readonly formats: Formats;
  /** The recording, when the page is a file. */
  readonly file: FileSource | null;
  readonly shown: ShownFleet;
  readonly day: DayView;
  readonly surroundings: Surroundings;
}

/** Null while it has not been read. */
export function heatSource({ formats, file, shown, day, surroundings }: HeatSourceModel): HeatSource | null {
  const { period, track } = day;
  if (file !== null) {
    const { from, to } = period ?? file.period;
    const lines = file.tracks().flatMap((each) => linesOfTrack(each, { from, to }));
    return { lines, about: `${formats.moment(from)} – ${formats.moment(to)}` };
  }
  const { chosen } = shown;
  if (shown.isPast && chosen !== null && period !== null) {
    const lines = track === null ? [] : linesOfTrack(track, period);
    return { lines, about: `${nameOf(chosen)}, ${formats.date(period.from)}` };
  }
  const { roads } = surroundings;
  return roads === null ? null : { lines: roads, about: formats.language.text('heatLastDay') };
}
