// Connects print, link and track files to the page.
import type { DayView } from './day-view.js';
import type { FileSource } from './file-source.js';
import type { Formats } from './format.js';
import type { FoundVehicles } from './found-vehicles.js';
import { period, storyText } from './header.js';
import { displayName } from './list-order.js';
import type { PageLink } from './page-link.js';
import { Print, type PrintContent } from './print.js';
import type { ScreenTime } from './screen-time.js';
import { ShareMenu } from './share-menu.js';
import type { ShownFleet } from './shown-fleet.js';
import type { ExportedPositions } from './track-files.js';

export interface PrintAndShareModel {
  readonly formats: Formats;
  readonly file: FileSource | null;
  readonly shown: ShownFleet;
  readonly time: ScreenTime;
  readonly found: FoundVehicles;
  readonly day: DayView;
  readonly link: PageLink;
}

export function offerPrintAndShare(model: PrintAndShareModel): void {
  const { formats, link } = model;
  new Print(formats, () => printed(model));
  new ShareMenu({
    language: formats.language,
    isFile: model.file !== null,
    link: () => link.shared,
    positions: () => positions(model),
    dayOf: (moment) => formats.fleetDay(moment),
    print: () => window.print(),
  });
}

function positions({ shown, day }: PrintAndShareModel): ExportedPositions | null {
  if (shown.chosen === null || day.shown === null || day.shown.track.times.length === 0) return null;
  const { track, from, to } = day.shown;
  return { vehicleId: shown.chosen.id, name: displayName(shown.chosen), track, from, to };
}

function printed({ formats, file, shown, time, found, day: { state } }: PrintAndShareModel): PrintContent {
  const day = state.kind === 'loaded' ? state.day : null;
  const vehicle = shown.shownChosen;
  const span = vehicle !== null && day !== null ? day : (file?.period ?? null);
  return {
    vehicle,
    day,
    when: span === null ? formats.exactly(time.shownNow) : period(span, formats),
    story: file === null ? found.countText : storyText(file.story(), formats),
    vehicles: found.latest,
    days: file?.days ?? new Map(),
  };
}
