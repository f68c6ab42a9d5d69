// The state of the page: which vehicle, which day, which moment. Every change goes through here, and from here to what is on the screen.
import type { FileSetup, LiveMessage, MapProblem, MapSetup } from '../shapes.js';
import { DayView } from './day-view.js';
import { find, setText } from './dom.js';
import { linesOf, linesOfTrack } from './draw-ground.js';
import { fenceOf } from './fence.js';
import { FileSource } from './file-source.js';
import { Filters } from './filters.js';
import { Fleet } from './fleet.js';
import { FleetMap } from './fleet-map.js';
import { ageText, Formats } from './format.js';
import { Header } from './header.js';
import { readLink, writeLink } from './link.js';
import { arranged, NameOrder, nameOf } from './list-order.js';
import { LiveSource } from './live-source.js';
import { Panel } from './panel.js';
import { ProblemError, type Source } from './source.js';
import { Theme } from './theme.js';
import { VehicleList } from './vehicle-list.js';

export class App {
  readonly #setup: MapSetup;
  readonly #source: Source;
  /** The recording, when the page is a file. */
  readonly #file: FileSource | null;
  readonly #formats: Formats;
  readonly #fleet = new Fleet();
  readonly #theme: Theme;
  readonly #header: Header;
  readonly #filters: Filters;
  readonly #list: VehicleList;
  readonly #panel: Panel;
  readonly #map: FleetMap;
  readonly #day: DayView;
  #selectedId: string | null = null;
  #listed: ReadonlySet<string> | null = null;
  readonly #names = new NameOrder();
  #listTimer = 0;
  #hasFitted = false;

  constructor(setup: MapSetup) {
    this.#setup = setup;
    this.#file = setup.kind === 'file' ? new FileSource(setup) : null;
    this.#source = this.#file ?? new LiveSource();
    this.#formats = new Formats(setup.zone, isImperial(navigator.language) ? 'imperial' : 'metric');
    this.#theme = new Theme(() => this.#redraw());
    this.#header = new Header(setup, this.#formats, () => this.#redraw());
    this.#filters = new Filters(() => this.#showList());
    this.#list = new VehicleList(this.#formats, (id) => this.#select(id, true));
    const palette = () => this.#theme.palette;
    this.#map = new FleetMap(
      {
        fleet: this.#fleet,
        palette,
        formats: this.#formats,
        selectedId: () => this.#selectedId,
        isListed: (id) => this.#listed === null || this.#listed.has(id) || id === this.#selectedId,
      },
      setup.tiles,
      { select: (id) => this.#select(id, false), hover: (id, x, y) => this.#showTip(id, x, y) },
    );
    this.#panel = new Panel(
      this.#formats,
      daysOf(setup, this.#formats, () => this.#now()),
      {
        close: () => this.#select(null, true),
        chooseDay: (day) => this.#day.choose(this.#selectedId, day, null),
        goTo: (from, to) => this.#day.goTo(from, to),
      },
    );
    this.#day = new DayView(
      { source: this.#source, formats: this.#formats, map: this.#map, palette, setup },
      {
        loaded: () => this.#showPanel(),
        moved: (at) => this.#onMoment(at),
      },
    );
  }

  start(): void {
    find('fit', HTMLButtonElement).addEventListener('click', () => this.#map.fit(this.#fleet.markers.values()));
    window.addEventListener('hashchange', () => this.#followLink());
    if (this.#setup.kind === 'file') {
      this.#map.roads = this.#file?.tracks().flatMap(linesOfTrack) ?? [];
      this.#day.openPeriod(this.#setup);
    }
    this.#source.start({
      message: (message) => this.#take(message),
      connection: (state) => this.#header.showConnection(state, this.#fleet.at),
    });
    this.#followLink();
    void this.#readGeofences();
    // Ages grow without messages too.
    setInterval(() => !document.hidden && this.#showList(), 15_000);
  }

  #take(message: LiveMessage): void {
    if (message.kind === 'problem') {
      this.#header.showProblem('fleet', message.problem);
      return;
    }
    const isFirst = this.#fleet.at === null;
    if (this.#header.hasProblem('fleet')) this.#readMissing();
    this.#header.showProblem('fleet', null);
    this.#fleet.take(message, performance.now(), this.#map.glides && this.#setup.kind === 'live');
    this.#map.drawFleet();
    if (!this.#hasFitted && this.#fleet.markers.size > 0) {
      this.#hasFitted = true;
      const selected = this.#fleet.markers.get(this.#selectedId ?? '');
      this.#map.fit(this.#fleet.markers.values());
      if (selected !== undefined) this.#map.show(selected.x, selected.y);
    }
    if (isFirst) {
      this.#showList();
      if (this.#setup.kind === 'live' && this.#setup.tiles === null) void this.#readRoads();
    } else this.#showListSoon();
  }

  #followLink(): void {
    const { vehicle, day, at } = readLink(location.hash);
    if (vehicle === this.#selectedId && day === this.#day.day && at === this.#day.linkAt()) return;
    this.#selectedId = vehicle;
    if (vehicle === null) this.#day.close();
    else this.#day.choose(vehicle, day ?? this.#day.defaultDay(this.#now()), at);
    const marker = this.#fleet.markers.get(vehicle ?? '');
    if (marker !== undefined) this.#map.show(marker.x, marker.y);
    this.#showList();
    this.#map.drawFleet();
  }

  #select(vehicleId: string | null, withFocus: boolean): void {
    const before = this.#selectedId;
    if (vehicleId === before) return;
    this.#selectedId = vehicleId;
    if (vehicleId === null) this.#day.close();
    else this.#day.choose(vehicleId, this.#day.day ?? this.#day.defaultDay(this.#now()), null);
    const marker = this.#fleet.markers.get(vehicleId ?? '');
    if (marker !== undefined) this.#map.show(marker.x, marker.y);
    this.#showList();
    this.#map.drawFleet();
    this.#saveLink();
    if (!withFocus) return;
    if (vehicleId === null) find('list', HTMLElement).focus();
    else this.#panel.focus();
  }

  #saveLink(): void {
    const link = writeLink({
      vehicle: this.#selectedId,
      day: this.#selectedId === null ? null : this.#day.day,
      at: this.#day.linkAt(),
    });
    if (link !== location.hash) history.replaceState(null, '', link || location.pathname);
  }

  /** The slider has moved: in a file, all vehicles have. */
  #onMoment(at: number): void {
    if (this.#file !== null) this.#take(this.#file.momentOf(at));
    if (!this.#day.isPlaying) this.#saveLink();
  }

  /** Many messages make one list. */
  #showListSoon(): void {
    if (this.#listTimer !== 0) return;
    this.#listTimer = window.setTimeout(
      () => this.#showList(),
      this.#day.isPlaying || this.#fleet.markers.size > 1_000 ? 400 : 60,
    );
  }

  #showList(): void {
    clearTimeout(this.#listTimer);
    this.#listTimer = 0;
    const vehicles = [...this.#fleet.markers.values()].map(({ vehicle }) => vehicle);
    const wish = this.#filters.wish();
    const shown = arranged(vehicles, wish, this.#names);
    const isFiltered = shown.length !== vehicles.length;
    const wasFiltered = this.#listed !== null;
    this.#listed = isFiltered ? new Set(shown.map(({ id }) => id)) : null;
    this.#list.show(shown, this.#selectedId, this.#now());
    this.#filters.showCounts(vehicles);
    this.#header.showCount(shown.length, vehicles.length, this.#fleet.at !== null);
    this.#showPanel();
    if (isFiltered || wasFiltered) this.#map.drawFleet();
  }

  #showPanel(): void {
    const vehicle = this.#fleet.markers.get(this.#selectedId ?? '')?.vehicle;
    const isMissing = this.#selectedId !== null && vehicle === undefined && this.#fleet.at !== null;
    this.#header.showProblem('link', isMissing ? notVisible : null);
    if (this.#selectedId === null) {
      this.#panel.hide();
      return;
    }
    if (vehicle !== undefined) {
      this.#panel.show({ vehicle, day: this.#day.day, dayState: this.#day.state, now: this.#now() });
    } else if (isMissing) this.#panel.hide();
    this.#saveLink();
  }

  #showTip(vehicleId: string | null, x: number, y: number): void {
    const tip = find('tip', HTMLElement);
    const vehicle = this.#fleet.markers.get(vehicleId ?? '')?.vehicle;
    tip.hidden = vehicle === undefined;
    if (vehicle === undefined) return;
    const { status, speed, at } = vehicle;
    const value =
      status === 'moving' && speed !== null ? this.#formats.speed(speed) : at === null ? '' : ageText(this.#now() - at);
    setText(tip, [nameOf(vehicle), status, value, vehicle.driver].filter(Boolean).join(' · '));
    tip.style.transform = `translate(${x + 14}px, ${y + 14}px)`;
  }

  /** The service answers again. */
  #readMissing(): void {
    if (this.#header.hasProblem('geofences')) void this.#readGeofences();
    if (this.#header.hasProblem('roads')) void this.#readRoads();
  }

  async #readGeofences(): Promise<void> {
    try {
      this.#map.fences = (await this.#source.geofences()).map(fenceOf);
      this.#header.showProblem('geofences', null);
      this.#map.drawAll();
    } catch (error) {
      this.#header.showProblem('geofences', problemOf('The geofences are missing.', error));
    }
  }

  async #readRoads(): Promise<void> {
    try {
      this.#map.roads = linesOf(await this.#source.roads());
      this.#header.showProblem('roads', null);
      this.#map.drawAll();
    } catch (error) {
      this.#header.showProblem('roads', problemOf('The roads are missing.', error));
    }
  }

  #redraw(): void {
    this.#panel.redraw();
    this.#showList();
    this.#day.redraw();
    this.#map.showScale();
    this.#map.drawAll();
  }

  /** The time of the service, or in a file that of the slider. */
  #now(): number {
    return this.#fleet.at ?? Date.now();
  }
}

const notVisible: MapProblem = { message: 'The vehicle of the link is not visible to this user.', hint: null };

function problemOf(what: string, error: unknown): MapProblem {
  if (!(error instanceof ProblemError)) throw error;
  return { message: `${what} ${error.problem.message}`, hint: error.problem.hint };
}

function daysOf(setup: MapSetup, formats: Formats, now: () => number) {
  return setup.kind === 'file'
    ? ({ kind: 'some', days: setup.dates.map(({ day }: FileSetup['dates'][number]) => day) } as const)
    : ({ kind: 'any', latest: () => formats.day(now()) } as const);
}

/** Where roads are signed in miles. */
function isImperial(language: string): boolean {
  return /^en-(US|GB|LR)\b/i.test(language);
}
