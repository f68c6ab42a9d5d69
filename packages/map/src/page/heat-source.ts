// Selects the lines of the heat map: a file's tracks, the selected past day, or the roads of the
// last day or week.
import type { DayView } from './day-view.js';
import type { FileSource } from './file-source.js';
import type { Formats } from './format.js';
import type { HeatPeriod, HeatSource } from './heat-switch.js';
import { linesOfTrack } from './lines.js';
import { displayName } from './list-order.js';
import type { MapDataLoader } from './map-data-loader.js';
import type { ShownFleet } from './shown-fleet.js';
import { WEEK_DAYS } from './week-roads.js';

export interface HeatSourceModel {
  readonly formats: Formats;
  readonly file: FileSource | null;
  readonly shown: ShownFleet;
  readonly day: DayView;
  readonly mapData: MapDataLoader;
}

export function heatSource(
  { formats, file, shown, day, mapData }: HeatSourceModel,
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
    return { lines, about: `${displayName(chosen)}, ${formats.date(period.from)}`, ...fixed };
  }
  const { roads, week } = mapData;
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

/** Local data needs no read and has no other period. */
const fixed = { progress: null, hasPeriods: false } as const;

function untilText(end: number, formats: Formats): string {
  return formats.language.text('heatUntil', { time: formats.moment(end) });
}
