// What the heat map is made of: in a file all tracks of the day or the period, at a time of the past the day of the chosen vehicle, and else the
// roads of the last day, which are read in any case, or of the last week.
import type { DayView } from './day-view.js';
import type { FileSource } from './file-source.js';
import type { Formats } from './format.js';
import type { HeatPeriod, HeatSource } from './heat-switch.js';
import { linesOfTrack } from './lines.js';
import { nameOf } from './list-order.js';
import type { ShownFleet } from './shown-fleet.js';
import type { Surroundings } from './surroundings.js';
import { WEEK_DAYS } from './week-roads.js';

export interface HeatSourceModel {
  readonly formats: Formats;
  /** The recording, when the page is a file. */
  readonly file: FileSource | null;
  readonly shown: ShownFleet;
  readonly day: DayView;
  readonly surroundings: Surroundings;
}

/** Null while it has not been read. */
export function heatSource(
  { formats, file, shown, day, surroundings }: HeatSourceModel,
  chosenPeriod: HeatPeriod,
): HeatSource | null {
  const { period, track } = day;
  if (file !== null) {
    const { from, to } = period ?? file.period;
    const lines = file.tracks().flatMap((each) => linesOfTrack(each, { from, to }));
    return { lines, about: `${formats.moment(from)} – ${formats.moment(to)}`, ...fixed };
  }
  const { chosen } = shown;
  if (shown.isPast && chosen !== null && period !== null) {
    const lines = track === null ? [] : linesOfTrack(track, period);
    return { lines, about: `${nameOf(chosen)}, ${formats.date(period.from)}`, ...fixed };
  }
  const { roads, week } = surroundings;
  const { language } = formats;
  if (chosenPeriod === '7d') {
    const read = { read: language.whole(week.days), all: language.whole(WEEK_DAYS) };
    const progress = week.days < WEEK_DAYS ? language.text('heatRead', read) : null;
    const until = week.end === null ? [] : [untilText(week.end, formats)];
    const about = [language.text('heatLastWeek'), ...until].join(' · ');
    return { lines: week.lines, about, progress, hasPeriods: true };
  }
  if (roads === null) return null;
  const about = `${language.text('heatLastDay')} · ${untilText(roads.to, formats)}`;
  return { lines: roads.lines, about, progress: null, hasPeriods: true };
}

/** What is there needs no reading, and has no other period. */
const fixed = { progress: null, hasPeriods: false } as const;

/** A page may be open for days. */
function untilText(end: number, formats: Formats): string {
  return formats.language.text('heatUntil', { time: formats.moment(end) });
}
