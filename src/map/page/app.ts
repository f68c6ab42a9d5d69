// The state of the page: which vehicle, which day, which moment. Every change goes through here, and from here to what is on the screen.
import type { FileSetup, LiveMessage, MapProblem, MapSetup, MapVehicle } from '../shapes.js';
import { Comparison } from './comparison.js';
import { DataAge, type Freshness, freshnessOf, type PageClock } from './data-age.js';
import type { DayState } from './day-state.js';
import { DayView } from './day-view.js';
import { find, setText } from './dom.js';
import { countsText } from './draw-clusters.js';
import type { Mark } from './draw-vehicles.js';
import { fenceOf } from './fence.js';
import { FileSource } from './file-source.js';
import { Filters } from './filters.js';
import { Fleet, type Marker } from './fleet.js';
import { FleetMap } from './fleet-map.js';
import { Formats, type ShownTime } from './format.js';
import type { GroundFactory } from './ground-link.js';
import { Header, period, storyText } from './header.js';
import { type HeatSource, HeatSwitch } from './heat-switch.js';
import { linesOf, linesOfTrack } from './lines.js';
import { readLink, writeLink } from './link.js';
import { arranged, NameOrder, nameOf } from './list-order.js';
import { LiveSource } from './live-source.js';
import { Panel } from './panel.js';
import { Print, type Printed } from './print.js';
import { readShared, type SharedView, writeShared } from './share-link.js';
import { ShareMenu } from './share-menu.js';
import { Sheet } from './sheet.js';
import { type Connection, ProblemError, type Source } from './source.js';
import { Theme } from './theme.js';
import { VehicleList } from './vehicle-list.js';
import type { Language } from './words/language.js';
import { ZoneSwitch } from './zone-switch.js';

export class App {
  readonly #setup: MapSetup;
  readonly #source: Source;
  /** The recording, when the page is a file. */
  readonly #file: FileSource | null;
  readonly #formats: Formats;
  readonly #language: Language;
  /** Of now, or in a file of the time of the slider. */
  readonly #fleet = new Fleet();
  /** The chosen vehicle at the time of the slider of a live map; null while all of it is of now. */
  #past: Fleet | null = null;
  readonly #age: DataAge;
  #connection: Connection = 'connecting';
  #isOutage = false;
  #freshness: Freshness = 'fresh';
  readonly #theme: Theme;
  readonly #header: Header;
  readonly #zones: ZoneSwitch;
  readonly #filters: Filters;
  readonly #list: VehicleList;
  readonly #sheet: Sheet;
  readonly #panel: Panel;
  readonly #map: FleetMap;
  readonly #day: DayView;
  readonly #compared: Comparison;
  readonly #heat: HeatSwitch;
  #hasRoads = false;
  #isReadingRoads = false;
  #selectedId: string | null = null;
  #listed: ReadonlySet<string> | null = null;
  readonly #names = new NameOrder();
  #listTimer = 0;
  #hasFitted = false;
  #countText = '';
  /** The part of the map that a link names, until it is shown. */
  #linkedView: SharedView['map'] = null;
  #dayKind: DayState['kind'] = 'loading';
  /** Whether a link has named the part of the map, and nobody has chosen another day or vehicle since. */
  #isViewLinked = false;

  /** `ground`: comes with the second script. */
  constructor(setup: MapSetup, clock: PageClock, ground: Promise<GroundFactory>, language: Language) {
    this.#language = language;
    this.#setup = setup;
    this.#age = new DataAge(clock);
    this.#file = setup.kind === 'file' ? new FileSource(setup) : null;
    this.#source = this.#file ?? new LiveSource(language);
    this.#formats = new Formats(setup.zone, 'metric', language);
    this.#theme = new Theme(() => this.#redraw());
    this.#header = new Header(setup, this.#formats, () => this.#redraw());
    this.#zones = new ZoneSwitch(this.#formats, () => this.#onZone());
    this.#filters = new Filters(language, () => {
      this.#showList();
      this.#header.announce(this.#countText);
    });
    this.#list = new VehicleList(this.#formats, (id) => this.#select(id, true));
    const palette = () => this.#theme.palette;
    this.#map = new FleetMap(
      {
        fleet: () => this.#past ?? this.#fleet,
        palette,
        formats: this.#formats,
        selectedId: () => this.#selectedId,
        comparedId: () => this.#compared.vehicleId,
        listed: () => this.#listed,
      },
      setup,
      ground,
      {
        select: (id) => this.#select(id, false),
        moment: (at) => this.#day.mark(at),
        hover: (mark, x, y) => this.#showTip(mark, x, y),
        problem: (part, problem) => this.#header.showProblem(part, problem),
      },
    );
    this.#sheet = new Sheet(language, (pixels) => {
      this.#map.covered = pixels;
    });
    this.#panel = new Panel(
      this.#formats,
      daysOf(setup, this.#formats, () => this.#now()),
      {
        close: () => this.#select(null, true),
        chooseDay: (day) => {
          this.#isViewLinked = false;
          this.#day.choose(this.#selectedId, day, null);
        },
        retry: () => this.#day.retry(),
        goTo: (from, to) => this.#day.goTo(from, to),
        compare: {
          choose: (id) => {
            this.#isViewLinked = false;
            this.#compared.choose(id);
          },
          retry: () => this.#compared.retry(),
        },
      },
    );
    this.#day = new DayView(
      { source: this.#source, formats: this.#formats, map: this.#map, palette, setup, clock, now: () => this.#now() },
      {
        loaded: () => this.#onDay(),
        opened: () => this.#onOpened(),
        moved: (at) => this.#onMoment(at),
      },
    );
    this.#compared = new Comparison(this.#source, this.#map, (isNew) => this.#onCompared(isNew));
    this.#heat = new HeatSwitch({
      language: this.#language,
      source: () => this.#heatSource(),
      read: () => void this.#readRoads(),
      show: (heat) => {
        this.#map.heat = heat;
      },
    });
  }

  start(): void {
    new Print(this.#formats, () => this.#printed());
    new ShareMenu({
      language: this.#language,
      link: () => this.#sharedLink(),
      positions: () => this.#positions(),
      dayOf: (moment) => this.#formats.fleetDay(moment),
      print: () => window.print(),
    });
    find('fit', HTMLButtonElement).addEventListener('click', () => this.#map.fit(this.#fleet.markers.values()));
    find('fit-found', HTMLButtonElement).addEventListener('click', () => this.#fitFound());
    find('query', HTMLInputElement).addEventListener('keydown', ({ key }) => key === 'Enter' && this.#fitFound());
    find('back-to-live', HTMLButtonElement).addEventListener('click', () => {
      this.#day.backToLive();
      if (!this.#map.isVisible(this.#selected)) this.#map.centre(this.#selected);
    });
    window.addEventListener('hashchange', () => this.#followLink());
    document.addEventListener('keydown', (event) => this.#onKey(event));
    if (this.#setup.kind === 'file' && this.#file !== null) {
      this.#map.roads = this.#file.tracks().flatMap((track) => linesOfTrack(track));
      this.#header.showStory(this.#file.story());
      this.#day.openPeriod(this.#setup, this.#file.beginning);
    }
    this.#source.start({
      message: (message) => this.#take(message),
      connection: (state) => {
        this.#connection = state;
        this.#showAge();
      },
    });
    this.#followLink();
    void this.#readGeofences();
    // Ages grow without messages too.
    setInterval(() => !document.hidden && this.#showAge(), 1_000);
    setInterval(() => !document.hidden && this.#showList(), 15_000);
  }

  /** Shows what the search and the switches have found. */
  #fitFound(): void {
    const { markers } = this.#past ?? this.#fleet;
    this.#map.fit([...(this.#listed ?? markers.keys())].flatMap((id) => markers.get(id) ?? []));
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.defaultPrevented || !this.#panel.isOpen) return;
    // The first one empties the field.
    const { target } = event;
    if (target instanceof HTMLInputElement && target.type === 'search' && target.value !== '') return;
    if (this.#compared.vehicleId !== null) this.#compared.choose(null);
    else this.#select(null, true);
  }

  #take(message: LiveMessage): void {
    if (message.kind === 'problem') {
      this.#header.showProblem('fleet', message.problem);
      this.#isOutage = message.isOutage;
      this.#showAge();
      return;
    }
    const isFirst = this.#fleet.at === null;
    this.#isOutage = false;
    this.#age.take(message.at, message.kind === 'fleet' ? message.ageMs : 0);
    if (this.#header.hasProblem('fleet')) this.#readMissing();
    this.#header.showProblem('fleet', null);
    const wasVisible = this.#map.isVisible(this.#selected);
    this.#fleet.take(message, performance.now(), this.#map.glides && this.#setup.kind === 'live');
    this.#keepVisible(wasVisible);
    this.#map.drawFleet();
    this.#showAge();
    this.#day.grow();
    if (!this.#hasFitted && this.#fleet.markers.size > 0) {
      this.#hasFitted = true;
      const selected = this.#fleet.markers.get(this.#selectedId ?? '');
      this.#map.fit(this.#file === null ? this.#fleet.markers.values() : this.#file.places());
      if (selected !== undefined) this.#map.show(selected.x, selected.y);
      if (this.#linkedView !== null) this.#map.view = this.#linkedView;
      if (this.#selectedId === null) this.#linkedView = null;
    }
    if (isFirst) {
      this.#showList();
      if (this.#setup.kind === 'live' && this.#hasPlainGround) void this.#readRoads();
    } else this.#showListSoon();
  }

  #followLink(): void {
    this.#followView();
    const { vehicle, day, at, compared } = readLink(location.hash);
    const second = vehicle === compared ? null : compared;
    const isShown = vehicle === this.#selectedId && day === this.#day.day && at === this.#day.linkAt();
    if (isShown && second === this.#compared.vehicleId) return;
    this.#selectedId = vehicle;
    if (vehicle === null) this.#day.close();
    else this.#day.choose(vehicle, day ?? this.#day.defaultDay, at);
    this.#compared.choose(vehicle === null ? null : second);
    const marker = this.#fleet.markers.get(vehicle ?? '');
    if (marker !== undefined) this.#map.show(marker.x, marker.y);
    this.#showList();
    this.#map.drawFleet();
  }

  /** A link that was copied has more than the address of the page. */
  #followView(): void {
    const { map, query, statuses, units, zone } = readShared(location.hash);
    if (query !== '' || statuses.length > 0) this.#filters.set({ query, statuses });
    if (units !== null && units !== this.#formats.units) {
      this.#formats.units = units;
      this.#header.redraw();
      this.#redraw();
    }
    if (zone !== null && this.#zones.choose(zone)) this.#onZone();
    this.#linkedView = map;
    this.#isViewLinked = map !== null;
    if (map !== null && this.#hasFitted) this.#map.view = map;
  }

  #sharedLink(): string {
    const { query, only } = this.#filters.wish();
    const { zone, fleetZone } = this.#formats;
    const shared = {
      map: this.#map.view,
      query,
      statuses: [...only],
      units: this.#formats.units,
      zone: zone === fleetZone ? null : zone,
    };
    return new URL(writeShared(location.hash, shared), location.href).href;
  }

  #positions() {
    const vehicle = this.#fleet.markers.get(this.#selectedId ?? '')?.vehicle;
    const { shown } = this.#day;
    if (vehicle === undefined || shown === null || shown.track.times.length === 0) return null;
    const { track, from, to } = shown;
    return { vehicleId: vehicle.id, name: nameOf(vehicle), track, from, to };
  }

  #printed(): Printed {
    const { state } = this.#day;
    const day = state.kind === 'loaded' ? state.day : null;
    const vehicle = this.#shownVehicle ?? null;
    const span = vehicle !== null && day !== null ? day : this.#setup.kind === 'file' ? this.#setup : null;
    const markers = [...this.#fleet.markers.values()].map((marker) => marker.vehicle);
    return {
      vehicle,
      day,
      when: span === null ? this.#formats.exactly(this.#shownNow) : period(span, this.#formats),
      story: this.#file === null ? this.#countText : storyText(this.#file.story(), this.#formats),
      vehicles: arranged(markers, this.#filters.wish(), this.#names),
      days: this.#file?.days ?? new Map(),
    };
  }

  #select(vehicleId: string | null, withFocus: boolean): void {
    const before = this.#selectedId;
    if (vehicleId === before) {
      if (vehicleId !== null) this.#map.centre(this.#selected);
      return;
    }
    this.#compared.choose(null);
    this.#sheet.reveal();
    this.#selectedId = vehicleId;
    if (vehicleId === null) this.#day.close();
    else this.#day.choose(vehicleId, this.#day.day ?? this.#day.defaultDay, this.#day.linkAt());
    if (vehicleId === null) this.#showMoment();
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
      compared: this.#compared.vehicleId,
    });
    if (link !== location.hash) history.replaceState(null, '', link || location.pathname);
  }

  get #selected(): Marker | null {
    return (this.#past ?? this.#fleet).markers.get(this.#selectedId ?? '') ?? null;
  }

  /** The chosen vehicle does not leave the screen by itself. */
  #keepVisible(wasVisible: boolean): void {
    if (wasVisible && !this.#map.isVisible(this.#selected)) this.#map.centre(this.#selected);
  }

  /** The day is there, has failed or has grown. */
  #onDay(): void {
    const { state } = this.#day;
    const isNew = state.kind !== this.#dayKind;
    this.#dayKind = state.kind;
    this.#compared.follow(this.#day.day, state);
    this.#showMoment();
    this.#showList();
    this.#heat.update();
    if (isNew && state.kind === 'loaded') this.#header.announce(this.#panel.summary(state.day));
    if (isNew && state.kind === 'failed') this.#header.announce(state.problem.message);
  }

  /** The map shows the whole day, unless a link names another part. */
  #onOpened(): void {
    if (this.#linkedView === null) this.#fitDay();
    else this.#map.view = this.#linkedView;
    this.#linkedView = null;
  }

  #fitDay(): void {
    this.#map.fit([...this.#day.places(), ...this.#compared.places()]);
  }

  /** A second vehicle has been chosen, or is there, or the comparison has ended. */
  #onCompared(isNew: boolean): void {
    this.#showMoment();
    this.#showList();
    if (isNew && !this.#isViewLinked) this.#fitDay();
  }

  /** The slider has moved: in a file, all vehicles have. */
  #onMoment(at: number): void {
    if (this.#file !== null) this.#take(this.#file.momentOf(at));
    else this.#showMoment();
    if (!this.#day.isPlaying) this.#saveLink();
  }

  /** What is on the screen of a live map is all of now, or all of the time of the slider. */
  #showMoment(): void {
    const wasPast = this.#past !== null;
    if (!this.#day.isPast) this.#past = null;
    else {
      const wasVisible = this.#map.isVisible(this.#selected);
      const vehicle = this.#fleet.markers.get(this.#selectedId ?? '')?.vehicle;
      const second = this.#second;
      const at = this.#day.at ?? this.#now();
      this.#past ??= new Fleet();
      const vehicles = [
        vehicle === undefined ? null : this.#day.vehicle(vehicle),
        second === null ? null : this.#compared.vehicle(second, at),
      ].filter((each) => each !== null);
      this.#past.take({ kind: 'fleet', at, ageMs: 0, vehicles }, performance.now(), false);
      this.#keepVisible(wasVisible);
    }
    if (wasPast !== (this.#past !== null)) {
      this.#filters.areStatusesKnown = this.#past === null;
      this.#heat.update();
      this.#showList();
    } else if (this.#past !== null) this.#showListSoon();
    this.#map.drawFleet();
    this.#showAge();
  }

  /** Of what is shown: in a file all tracks of the day or the period; live the roads of the last day, which are read in any case. */
  #heatSource(): HeatSource | null {
    const { period, track } = this.#day;
    if (this.#setup.kind === 'file' && this.#file !== null) {
      const { from, to } = period ?? this.#setup;
      const lines = this.#file.tracks().flatMap((each) => linesOfTrack(each, { from, to }));
      return { lines, about: `${this.#formats.moment(from)} – ${this.#formats.moment(to)}` };
    }
    const vehicle = this.#fleet.markers.get(this.#selectedId ?? '')?.vehicle;
    if (this.#past !== null && vehicle !== undefined && period !== null) {
      const lines = track === null ? [] : linesOfTrack(track, period);
      return { lines, about: `${nameOf(vehicle)}, ${this.#formats.date(period.from)}` };
    }
    return this.#hasRoads ? { lines: this.#map.roads, about: this.#language.text('heatLastDay') } : null;
  }

  /** How old what is on the screen is. Nothing that is not of now looks as if it were. */
  #showAge(): void {
    const { ms: ageMs } = this.#age;
    const { kind } = this.#setup;
    const live = { connection: this.#connection, ageMs, isOutage: this.#isOutage };
    const freshness = this.#setup.kind === 'live' ? freshnessOf({ ...live, everyMs: this.#setup.everyMs }) : 'fresh';
    const past = this.#pastText;
    this.#header.show({ connection: this.#connection, freshness, at: this.#fleet.at, ageMs, past });
    // Of a vehicle that is not visible nothing is shown, and so nothing of the past.
    const shown = kind === 'file' || past !== null ? 'fresh' : freshness;
    if (shown === this.#freshness) return;
    this.#freshness = shown;
    document.documentElement.dataset.age = shown;
    this.#theme.refresh();
  }

  /** What of the past is on the screen. */
  get #pastText(): string | null {
    const vehicle = this.#fleet.markers.get(this.#selectedId ?? '')?.vehicle;
    if (this.#past === null || vehicle === undefined) return null;
    const { at, day } = this.#day;
    const when = at !== null ? `${this.#formats.exactly(at)} ${this.#formats.zone}` : (day ?? '');
    const second = this.#second;
    const names = [vehicle, ...(second === null ? [] : [second])].map(nameOf);
    return this.#language.text('pastOf', { name: names.join(', '), when });
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
    const past = this.#past?.markers;
    const vehicles = [...this.#fleet.markers].map(([id, { vehicle }]) => past?.get(id)?.vehicle ?? vehicle);
    const wish = this.#filters.wish();
    const shown = arranged(vehicles, wish, this.#names);
    const isFiltered = shown.length !== vehicles.length;
    const wasFiltered = this.#listed !== null;
    this.#listed = isFiltered ? new Set(shown.map(({ id }) => id)) : null;
    this.#list.show(shown, this.#selectedId, {
      now: this.#shownNow,
      time: this.#time,
      knows: (id) => past === undefined || past.has(id),
    });
    this.#filters.showCounts(vehicles);
    this.#filters.showFound(shown.length, vehicles.length);
    find('fit-found', HTMLButtonElement).hidden = !isFiltered || shown.length === 0;
    this.#countText = this.#header.countText(shown.length, vehicles.length);
    this.#header.showCount(this.#fleet.at === null ? this.#language.text('waiting') : this.#countText);
    this.#showPanel();
    if (isFiltered || wasFiltered) this.#map.drawFleet();
  }

  #showPanel(): void {
    const vehicle = this.#shownVehicle;
    const isMissing = this.#selectedId !== null && vehicle === undefined && this.#fleet.at !== null;
    this.#header.showProblem('link', isMissing ? { message: this.#language.text('linkNotVisible'), hint: null } : null);
    if (this.#selectedId === null) {
      this.#panel.hide();
      return;
    }
    if (vehicle !== undefined) {
      const { day, state: dayState } = this.#day;
      const comparison = this.#comparison(vehicle);
      this.#panel.show({ vehicle, day, dayState, now: this.#shownNow, time: this.#time, comparison });
    } else if (isMissing) this.#panel.hide();
    this.#saveLink();
  }

  #comparison({ id }: MapVehicle) {
    const second = this.#second;
    // The second vehicle of a link may not be visible.
    if (second === null && this.#fleet.at !== null) this.#compared.choose(null);
    const vehicles = [...this.#fleet.markers.values()].map((marker) => marker.vehicle);
    const days = this.#file?.days;
    const others = vehicles.filter((each) => each.id !== id && (days === undefined || days.has(each.id)));
    return {
      second: second === null ? null : (this.#past?.markers.get(second.id)?.vehicle ?? second),
      secondState: this.#compared.state,
      others: arranged(others, { query: '', only: new Set(), sort: 'name' }, this.#names),
    };
  }

  /** The vehicle that the chosen one is compared with, as it is now. */
  get #second(): MapVehicle | null {
    return this.#fleet.markers.get(this.#compared.vehicleId ?? '')?.vehicle ?? null;
  }

  #showTip(mark: Mark | null, x: number, y: number): void {
    const tip = find('tip', HTMLElement);
    tip.hidden = mark === null;
    if (mark === null) return;
    setText(tip, this.#tipText(mark));
    tip.style.transform = `translate(${x + 14}px, ${y + 14}px)`;
  }

  #tipText({ members: [marker], counts }: Mark): string {
    if (counts !== null) return countsText(counts, this.#language);
    if (marker === undefined) return '';
    const { vehicle } = marker;
    const { status, speed, at } = vehicle;
    const isTrue = status === 'moving' && speed !== null && this.#time !== 'late';
    const ago = at === null ? '' : this.#formats.age(Math.max(0, this.#shownNow - at), this.#time);
    const value = isTrue ? this.#formats.speed(speed) : ago;
    return [nameOf(vehicle), this.#language.text(status), value, vehicle.driver].filter(Boolean).join(' · ');
  }

  /** The service answers again. */
  #readMissing(): void {
    if (this.#day.state.kind === 'failed') this.#day.retry();
    if (this.#header.hasProblem('geofences')) void this.#readGeofences();
    if (this.#header.hasProblem('roads')) void this.#readRoads();
  }

  async #readGeofences(): Promise<void> {
    try {
      this.#map.fences = (await this.#source.geofences()).map(fenceOf);
      this.#header.showProblem('geofences', null);
      this.#map.drawAll();
    } catch (error) {
      this.#header.showProblem('geofences', problemOf(this.#language.text('geofencesMissing'), error));
    }
  }

  async #readRoads(): Promise<void> {
    if (this.#isReadingRoads) return;
    this.#isReadingRoads = true;
    try {
      this.#map.roads = linesOf(await this.#source.roads());
      this.#hasRoads = true;
      this.#heat.update();
      this.#header.showProblem('roads', null);
      this.#map.drawAll();
    } catch (error) {
      this.#header.showProblem('roads', problemOf(this.#language.text('roadsMissing'), error));
    } finally {
      this.#isReadingRoads = false;
    }
  }

  #onZone(): void {
    this.#header.redraw();
    this.#showAge();
    this.#heat.update();
    this.#redraw();
  }

  #redraw(): void {
    this.#panel.redraw();
    this.#showList();
    this.#day.redraw();
    this.#map.showScale();
    this.#map.recolor();
  }

  /** The chosen vehicle as it is shown; of one whose past is not there only the name. */
  get #shownVehicle(): MapVehicle | undefined {
    const vehicle = this.#fleet.markers.get(this.#selectedId ?? '')?.vehicle;
    if (this.#past === null || vehicle === undefined) return vehicle;
    const then = this.#past.markers.get(vehicle.id)?.vehicle;
    const nothing = {
      at: null,
      latitude: null,
      longitude: null,
      speed: null,
      heading: null,
      driver: null,
      place: null,
    };
    return then ?? { ...vehicle, ...nothing, status: 'unknown' };
  }

  /** Roads driven say where roads are, when nothing else does. */
  get #hasPlainGround(): boolean {
    return this.#setup.tiles === null && this.#setup.streets === null;
  }

  get #time(): ShownTime {
    if (this.#past !== null || this.#file !== null) return 'past';
    return this.#freshness === 'fresh' ? 'live' : 'late';
  }

  /** The time that what is on the screen is of. */
  get #shownNow(): number {
    return this.#past?.at ?? this.#now();
  }

  /** The time of the service, or in a file that of the slider. */
  #now(): number {
    return (this.#file === null ? this.#age.serviceNow : this.#fleet.at) ?? Date.now();
  }
}

function problemOf(what: string, error: unknown): MapProblem {
  if (!(error instanceof ProblemError)) throw error;
  return { message: `${what} ${error.problem.message}`, hint: error.problem.hint };
}

function daysOf(setup: MapSetup, formats: Formats, now: () => number) {
  return setup.kind === 'file'
    ? ({ kind: 'some', days: setup.dates.map(({ day }: FileSetup['dates'][number]) => day) } as const)
    : ({ kind: 'any', latest: () => formats.fleetDay(now()) } as const);
}
