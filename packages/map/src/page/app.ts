// Connects the parts of the page. Source, link and user input change the selection; the selection
// changes the display.
import type { LiveMessage, MapSetup } from '../shapes.js';
import { MapSelection } from './choice.js';
import { ChosenPanel } from './chosen-panel.js';
import { Comparison } from './comparison.js';
import type { PageClock } from './data-age.js';
import { DayView } from './day-view.js';
import { find } from './dom.js';
import { cornersOf, type Fence } from './fence.js';
import { FileSource } from './file-source.js';
import { Filters } from './filters.js';
import { FleetMap } from './fleet-map.js';
import { Formats } from './format.js';
import { FoundVehicles } from './found-vehicles.js';
import type { GroundFactory } from './ground-link.js';
import { Header } from './header.js';
import { heatSource } from './heat-source.js';
import { HeatSwitch } from './heat-switch.js';
import { linesOfTrack } from './lines.js';
import { LiveSource } from './live-source.js';
import { MapDataLoader } from './map-data-loader.js';
import { MapPart } from './map-part.js';
import { MapTip } from './map-tip.js';
import { PageLink } from './page-link.js';
import { PlacePanel } from './place-panel.js';
import { offerPrintAndShare } from './print-and-share.js';
import { ScreenTime } from './screen-time.js';
import { Sheet } from './sheet.js';
import { ShownFleet } from './shown-fleet.js';
import { ShownMoment } from './shown-moment.js';
import type { Source } from './source.js';
import { ColorTheme } from './theme.js';
import type { Language } from './words/language.js';
import { outageSentences, pageSentence } from './words/problem-sentences.js';
import { ZoneSwitch } from './zone-switch.js';

export class App {
  readonly #setup: MapSetup;
  readonly #language: Language;
  readonly #file: FileSource | null;
  readonly #source: Source;
  readonly #header: Header;
  readonly #shown: ShownFleet;
  readonly #time: ScreenTime;
  readonly #found: FoundVehicles;
  readonly #map: FleetMap;
  readonly #part: MapPart;
  readonly #day: DayView;
  readonly #compared: Comparison;
  readonly #moment: ShownMoment;
  readonly #choice: MapSelection;
  readonly #link: PageLink;
  readonly #sheet: Sheet;
  readonly #panel: ChosenPanel;
  readonly #place: PlacePanel;
  readonly #mapData: MapDataLoader;
  readonly #heat: HeatSwitch;

  /** `ground`: resolves when the second script has loaded. */
  constructor(setup: MapSetup, clock: PageClock, ground: Promise<GroundFactory>, language: Language) {
    const formats = new Formats(setup.zone, 'metric', language);
    const file = setup.kind === 'file' ? new FileSource(setup) : null;
    const source = file ?? new LiveSource(language);
    const theme = new ColorTheme(() => this.#redraw());
    const palette = () => theme.palette;
    const header = new Header(setup, formats, () => this.#redraw());
    const zones = new ZoneSwitch(formats, () => this.#onFormats());
    const filters = new Filters(language, () => {
      this.#found.show();
      header.announce([pageSentence(this.#found.countText)]);
    });

    const chosenId = () => this.#day.vehicleId;
    const comparedId = () => this.#compared.vehicleId;
    const chosenFence = () => this.#place.fence;
    const shown = new ShownFleet({ chosen: chosenId, compared: comparedId });
    const time = new ScreenTime({ setup, formats, header, theme, shown, day: () => this.#day }, clock);
    const found = new FoundVehicles(
      { formats, filters, header, shown, time, chosenId, fences: () => this.#map.fences, chosenFence },
      {
        choose: (id) => this.#choose(id, true),
        choosePlace: (fence) => this.#choosePlace(fence, true),
        listed: (isDrawn) => this.#onList(isDrawn),
        fit: (markers) => {
          this.#map.camera.fit(markers);
          this.#link.moved();
        },
      },
    );

    const tip = new MapTip(formats, time);
    const map = new FleetMap(
      {
        fleet: () => shown.fleet,
        palette,
        formats,
        selectedId: chosenId,
        comparedId,
        chosenFence,
        listed: () => found.ids,
      },
      setup,
      ground,
      {
        select: (id) => this.#choose(id, false),
        selectPlace: (fence) => this.#choosePlace(fence, false),
        moment: (at) => this.#day.mark(at),
        hover: (under, x, y) => tip.show(under, x, y),
        moved: () => this.#link.moved(),
        problem: (part, said) => header.showProblem(part, said),
      },
    );
    const part = new MapPart(map);
    this.#sheet = new Sheet(language, (pixels) => {
      map.camera.covered = pixels;
    });

    const day = new DayView(
      { source, formats, map, palette, setup, clock, now: () => time.now },
      {
        loaded: () => this.#onDay(),
        opened: () => part.showFirst(this.#places()),
        moved: (at) => this.#onMoment(at),
      },
    );
    const compared = new Comparison(source, map, (isNew) => this.#onCompared(isNew));
    this.#moment = new ShownMoment(
      { day, compared, shown, time, map },
      {
        switched: (isPast) => {
          filters.areStatusesKnown = !isPast;
          this.#heat.update();
          found.show();
        },
        moved: () => found.showSoon(day.isPlaying),
      },
    );
    this.#place = new PlacePanel(
      { formats, shown, time },
      { close: () => this.#choose(null, true), choose: (id) => this.#choose(id, true) },
    );
    this.#choice = new MapSelection(
      { shown, day, compared, place: this.#place, fences: () => map.fences },
      { chosen: () => this.#onChosen(), linked: (fence) => part.showFirst(cornersOf(fence)) },
    );
    this.#link = new PageLink(
      {
        formats,
        filters,
        zones,
        chosen: () => this.#choice.link,
        defaultDay: () => this.#choice.defaultDay,
        view: () => map.camera.view,
        heat: () => this.#heat.link,
      },
      {
        changed: () => this.#followLink(),
        choose: (link) => this.#choice.follow(link),
        view: (view) => part.link(view),
        heat: (link) => this.#heat.follow(link),
        formats: () => this.#onFormats(),
      },
    );
    this.#panel = new ChosenPanel(
      { setup, formats, file, header, shown, time, day, compared, fences: () => map.fences },
      { close: () => this.#choose(null, true), chosen: () => part.unlink(), going: () => this.#sheet.uncover() },
    );

    const mapData = new MapDataLoader({
      ...{ source, map, header, language },
      onGeofences: () => {
        this.#choice.update();
        this.#found.show();
      },
      onRoads: () => this.#heat.update(),
    });
    this.#heat = new HeatSwitch({
      language,
      source: (period) => heatSource({ formats, file, shown, day, mapData }, period),
      read: (period) => {
        // The server reads them again when they are half an hour old.
        if (period === '24h' && file === null) void mapData.readRoads();
        if (period === '7d' && file === null) void mapData.readWeek();
        else mapData.stopWeek();
      },
      switched: () => this.#link.save(),
      show: (heat) => {
        map.heat = heat;
      },
    });
    offerPrintAndShare({ formats, file, shown, time, found, day, link: this.#link });

    this.#setup = setup;
    this.#language = language;
    this.#file = file;
    this.#source = source;
    this.#header = header;
    this.#shown = shown;
    this.#time = time;
    this.#found = found;
    this.#map = map;
    this.#part = part;
    this.#day = day;
    this.#compared = compared;
    this.#mapData = mapData;
  }

  start(): void {
    find('fit', HTMLButtonElement).addEventListener('click', () =>
      this.#map.camera.fit(this.#shown.latest.markers.values()),
    );
    find('back-to-live', HTMLButtonElement).addEventListener('click', () => {
      this.#day.backToLive();
      this.#moment.keepVisible(true);
    });
    document.addEventListener('keydown', (event) => this.#onKey(event));
    if (this.#setup.kind === 'file' && this.#file !== null) {
      this.#map.roads = this.#file.tracks().flatMap((track) => linesOfTrack(track));
      this.#header.showStory(this.#file.story());
      this.#day.openPeriod(this.#setup, this.#file.beginning);
    }
    this.#link.followView();
    this.#source.start({
      message: (message) => this.#take(message),
      connection: (state) => {
        this.#time.connection = state;
      },
    });
    void this.#mapData.readGeofences();
    // Ages grow without messages too.
    setInterval(() => !document.hidden && this.#time.show(), 1_000);
    setInterval(() => !document.hidden && this.#found.show(), 15_000);
  }

  // Input

  #take(message: LiveMessage): void {
    this.#time.take(message);
    if (message.kind === 'problem') {
      this.#header.showProblem('fleet', outageSentences(message, this.#language));
      this.#time.show();
      return;
    }
    const isFirst = this.#shown.latest.at === null;
    if (this.#header.hasProblem('fleet')) this.#readMissing();
    this.#header.showProblem('fleet', null);
    const wasVisible = this.#map.camera.isVisible(this.#shown.marker);
    this.#shown.latest.take(message, performance.now(), this.#map.glides && this.#setup.kind === 'live');
    if (isFirst) this.#link.followChoice();
    else this.#choice.update();
    this.#moment.keepVisible(wasVisible);
    this.#map.drawFleet();
    this.#time.show();
    this.#day.grow();
    const { markers } = this.#shown.latest;
    if (markers.size > 0) {
      const { vehicle, place } = this.#choice.link;
      const chosen = vehicle === null && place === null ? null : { place: markers.get(vehicle ?? '') ?? null };
      this.#part.begin(this.#file === null ? markers.values() : this.#file.places(), chosen);
    }
    if (isFirst) this.#onFirst();
    else this.#found.showSoon(this.#day.isPlaying);
  }

  #onFirst(): void {
    this.#found.show();
    // When there are no tiles or streets, driven roads show where the roads are.
    const { kind, tiles, streets } = this.#setup;
    if (kind === 'live' && tiles === null && streets === null) void this.#mapData.readRoads();
  }

  #readMissing(): void {
    if (this.#day.state.kind === 'failed') this.#day.retry();
    this.#mapData.readMissing();
  }

  #followLink(): void {
    this.#link.followView();
    // The first data determines today; the link is followed then.
    if (this.#shown.latest.at !== null) this.#link.followChoice();
  }

  #choosePlace(fence: Fence, withFocus: boolean): void {
    this.#sheet.reveal();
    this.#part.unlink();
    this.#link.together(() => this.#choice.choose(null, fence));
    if (!withFocus) return;
    this.#map.camera.fit(cornersOf(fence));
    this.#place.focus();
  }

  /** Selects a vehicle; null for neither a vehicle nor a geofence. */
  #choose(vehicleId: string | null, withFocus: boolean): void {
    const { vehicle, place } = this.#choice.link;
    if (vehicleId === vehicle && place === null) {
      if (vehicleId !== null) this.#map.camera.centre(this.#shown.marker);
      return;
    }
    this.#sheet.reveal();
    this.#part.unlink();
    this.#link.together(() => this.#choice.choose(vehicleId, null));
    if (!withFocus) return;
    if (vehicleId === null) find('list', HTMLElement).focus();
    else this.#panel.focus();
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    const { vehicle, place } = this.#choice.link;
    if (vehicle === null && place === null) return;
    // The first Escape clears the field.
    const { target } = event;
    if (target instanceof HTMLInputElement && target.type === 'search' && target.value !== '') return;
    if (this.#compared.vehicleId !== null) this.#compared.choose(null);
    else this.#choose(null, true);
  }

  // Selection

  #onChosen(): void {
    const { vehicleId } = this.#day;
    if (vehicleId === null) this.#moment.show();
    const marker = this.#shown.latest.markers.get(vehicleId ?? '');
    if (marker !== undefined) this.#map.camera.show(marker.x, marker.y);
    this.#found.show();
    this.#map.drawAll();
  }

  #onDay(): void {
    this.#compared.follow(this.#day.day, this.#day.state);
    this.#moment.show();
    this.#found.show();
    this.#heat.update();
    this.#panel.announce();
  }

  #onCompared(isNew: boolean): void {
    this.#moment.show();
    this.#found.show();
    if (isNew) this.#part.showSecond(this.#places());
  }

  /** In a file, the slider moves all vehicles. */
  #onMoment(at: number): void {
    if (this.#file !== null) this.#take(this.#file.momentOf(at));
    else this.#moment.show();
    if (!this.#day.isPlaying) this.#link.save();
  }

  // Display

  #onList(isDrawn: boolean): void {
    const said = this.#choice.isVehicleMissing ? [pageSentence(this.#language.text('linkNotVisible'))] : null;
    this.#header.showProblem('link', said);
    this.#panel.show();
    this.#place.show();
    if (this.#day.vehicleId !== null) this.#link.save();
    if (isDrawn) this.#map.drawFleet();
  }

  #onFormats(): void {
    this.#header.redraw();
    this.#time.show();
    this.#heat.update();
    this.#redraw();
  }

  #redraw(): void {
    this.#panel.redraw();
    this.#found.show();
    this.#day.redraw();
    this.#map.showScale();
    this.#map.recolor();
  }

  *#places(): Generator<{ readonly x: number; readonly y: number }> {
    yield* this.#day.places();
    yield* this.#compared.places();
  }
}
