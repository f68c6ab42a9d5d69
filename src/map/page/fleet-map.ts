// The map: Leaflet moves and zooms it and loads tiles; the canvases over it are ours.
import { Map as LeafletMap, type LeafletMouseEvent } from 'leaflet';
import type { MapSetup } from '../shapes.js';
import { CanvasPane, viewOf } from './canvas-pane.js';
import { clustersOf } from './clusters.js';
import { find, setText } from './dom.js';
import { drawGeofenceNames, drawGeofences } from './draw-geofences.js';
import { drawGraticule, drawRoads } from './draw-ground.js';
import { drawMoment, type TrackPainter } from './draw-track.js';
import { type Mark, VehiclePainter } from './draw-vehicles.js';
import { EdgeArrow } from './edge-arrow.js';
import { edgePoint, type TakenCorner } from './edge-point.js';
import type { Fence } from './fence.js';
import { fenceAt } from './fence-distance.js';
import { type Fleet, type Marker, progress } from './fleet.js';
import { Follow } from './follow.js';
import type { Formats } from './format.js';
import { freePart } from './free-part.js';
import type { Ground, GroundFactory } from './ground-link.js';
import { HeapList } from './heap-list.js';
import type { HeatMap } from './heat-map.js';
import type { Line } from './lines.js';
import { nameOf } from './list-order.js';
import { latitudeOf, longitudeOf, metresAt } from './mercator.js';
import { timeNear } from './nearest-on-track.js';
import { RasterTiles } from './raster-tiles.js';
import type { Palette } from './theme.js';
import { screenX, screenY, shiftOf, type View } from './view.js';
import { ownWords, type Said } from './words/said.js';

export interface MapModel {
  /** Those on the screen: of now, or of the time of the slider. */
  readonly fleet: () => Fleet;
  readonly palette: () => Palette;
  readonly formats: Formats;
  selectedId: () => string | null;
  /** The one that is compared with it. */
  comparedId: () => string | null;
  chosenFence: () => Fence | null;
  /** Those found; null for all. */
  listed: () => ReadonlySet<string> | null;
}

export interface MapEvents {
  select(vehicleId: string | null): void;
  selectPlace(fence: Fence): void;
  /** A time of the day whose track is under the pointer; null when it is not. */
  moment(at: number | null): void;
  /** What is under the pointer. */
  hover(under: Mark | Fence | null, x: number, y: number): void;
  /** The map has been moved by hand. */
  moved(): void;
  /** Null: all is well again. */
  problem(part: 'tiles' | 'streets', said: readonly Said[] | null): void;
}

export interface MapView {
  readonly zoom: number;
  readonly latitude: number;
  readonly longitude: number;
}

const CLOSE_ZOOM = 14;
/** Vehicles that still cover each other here stand at one point. */
const ONE_POINT_ZOOM = 17;
/** From here on the ground has nothing that one could go by. */
const GRATICULE_ZOOM = 10;

export class FleetMap {
  roads: readonly Line[] = [];
  /** The smallest first. */
  fences: readonly Fence[] = [];
  #covered = 0;
  /** What a link names. Until the map is moved it stays in the middle, whatever else opens beside the map. */
  #linked: MapView | null = null;
  /** Whether the page moves the map, and not a hand. */
  #isPlacing = false;
  #track: TrackPainter | null = null;
  #secondTrack: TrackPainter | null = null;
  #heat: HeatMap | null = null;
  /** Where the vehicle was at the moment under the pointer. */
  #moment: { readonly x: number; readonly y: number } | null = null;
  /** Null until the second script is there. */
  #ground: Ground | null = null;
  /** Whom the ground and the tiles come from. */
  readonly #credits = { ground: '', tiles: '' };
  readonly #map: LeafletMap;
  readonly #model: MapModel;
  readonly #events: MapEvents;
  readonly #vehicles = new VehiclePainter();
  readonly #edge = new EdgeArrow(() => this.centre(this.#selected()));
  readonly #follow = new Follow(() => {
    if (!this.isVisible(this.#selected())) this.centre(this.#selected());
    this.drawFleet();
  });
  readonly #heap: HeapList;
  readonly #panes: { readonly ground: CanvasPane; readonly track: CanvasPane; readonly fleet: CanvasPane };
  readonly #isCalm = window.matchMedia('(prefers-reduced-motion: reduce)');

  constructor(
    model: MapModel,
    setup: Pick<MapSetup, 'kind' | 'tiles' | 'streets'>,
    ground: Promise<GroundFactory>,
    events: MapEvents,
  ) {
    const { tiles, streets } = setup;
    this.#model = model;
    this.#events = events;
    this.#heap = new HeapList(model.formats.language, (id) => events.select(id));
    this.#map = new LeafletMap(find('map', HTMLElement), {
      zoomControl: false,
      attributionControl: false,
      // The canvases are drawn anew in every frame and cannot be stretched meanwhile.
      zoomAnimation: false,
      fadeAnimation: false,
      zoomSnap: tiles === null ? 0.25 : 1,
      zoomDelta: 1,
      wheelPxPerZoomLevel: 90,
      minZoom: 2,
      maxZoom: 19,
      worldCopyJump: true,
    });
    this.#place(() => this.#map.setView([30, 10], 2));
    const { palette, formats } = model;
    const { language } = formats;
    this.#panes = {
      ground: new CanvasPane(this.#map, (context, view) => {
        if (tiles === null && streets === null) {
          if (this.#ground === null || this.#map.getZoom() >= GRATICULE_ZOOM)
            drawGraticule(context, view, palette(), model.formats.language);
          drawRoads(context, view, this.roads, palette());
        }
        drawGeofences(context, view, this.fences, model.chosenFence(), palette());
      }),
      track: new CanvasPane(this.#map, (context, view) => {
        this.#heat?.draw(context, view);
        this.#track?.draw(context, view, palette());
        this.#secondTrack?.draw(context, view, palette());
      }),
      fleet: new CanvasPane(this.#map, (context, before) => {
        const now = performance.now();
        const fleet = model.fleet();
        const view = this.#stayWith(now) ? viewOf(this.#map) : before;
        const names = this.#vehicles.draw(context, view, fleet, {
          palette: palette(),
          selectedId: model.selectedId(),
          comparedId: model.comparedId(),
          listed: model.listed(),
          now,
        });
        this.#ground?.avoid('vehicles', names);
        const taken = this.#vehicles.taken;
        const fenceNames = drawGeofenceNames(context, view, this.fences, model.chosenFence(), taken, palette());
        this.#ground?.avoid('geofences', fenceNames);
        if (this.#moment !== null) drawMoment(context, view, this.#moment, palette());
        const at = this.#onScreen(this.#selected());
        this.#edge.show(
          at === null ? null : edgePoint(this.#free(view), at.x, at.y, this.#buttons()),
          this.#edgeLabel(),
        );
        if (fleet.isGliding(now)) this.#panes.fleet.invalidate();
      }),
    };
    this.#listen(events);
    this.showScale();
    let hasTiles = false;
    void ground.then((start) => {
      this.#ground = start({
        map: this.#map,
        setup,
        lose: (isLost) => events.problem('streets', isLost ? [ownWords(language.text('streetsMissing'))] : null),
        credit: (text) => this.#credit({ ground: text }),
      });
      this.#ground.showNames(!hasTiles);
      this.#panes.ground.invalidate();
    });
    if (tiles === null) return;
    this.#credit({ tiles: tiles.attribution });
    new RasterTiles(this.#map, tiles, (lostHost) => {
      hasTiles = lostHost === null;
      this.#ground?.showNames(!hasTiles);
      const text = lostHost === null ? null : language.text('tilesMissing', { host: lostHost });
      events.problem('tiles', text === null ? null : [ownWords(text)]);
    });
  }

  get glides(): boolean {
    return !this.#isCalm.matches;
  }

  set track(track: TrackPainter | null) {
    this.#track = track;
    this.#panes.track.invalidate();
  }

  set secondTrack(track: TrackPainter | null) {
    this.#secondTrack = track;
    this.#panes.track.invalidate();
  }

  set moment(place: { readonly x: number; readonly y: number } | null) {
    this.#moment = place;
    this.#panes.fleet.invalidate();
  }

  set heat(heat: HeatMap | null) {
    this.#heat = heat;
    this.#panes.track.invalidate();
  }

  /** After vehicles have changed. */
  drawFleet(): void {
    this.#follow.offer(this.#selected() !== null);
    this.#panes.fleet.invalidate();
  }

  /** After the colours have changed. */
  recolor(): void {
    this.#ground?.redraw();
    this.drawAll();
  }

  /** After anything else has changed. */
  drawAll(): void {
    this.#panes.ground.invalidate();
    this.#panes.track.invalidate();
    this.#panes.fleet.invalidate();
  }

  /** How much of its lower part is below the sheet of a small screen, in pixels. */
  get covered(): number {
    return this.#covered;
  }

  set covered(pixels: number) {
    if (pixels === this.#covered) return;
    this.#covered = pixels;
    // The arrow at the edge moves along.
    this.#panes.fleet.invalidate();
    if (this.#linked !== null) this.view = this.#linked;
  }

  /** After the page has another layout. */
  resize(): void {
    this.#place(() => this.#map.invalidateSize({ pan: false }));
    if (this.#linked !== null) this.#showLinked(this.#linked);
  }

  /** Moves the map without a hand. */
  #place(move: () => void): void {
    this.#isPlacing = true;
    move();
    this.#isPlacing = false;
  }

  /** Shows these places, given in the square of the projection. */
  fit(places: Iterable<{ readonly x: number; readonly y: number }>): void {
    let [west, east, north, south] = [2, -1, 2, -1];
    for (const { x, y } of places) {
      if (Number.isNaN(x)) continue;
      [west, east] = [Math.min(west, x), Math.max(east, x)];
      [north, south] = [Math.min(north, y), Math.max(south, y)];
    }
    if (west > east) return;
    this.#linked = null;
    // What has changed its height in this moment is not known to Leaflet yet.
    this.resize();
    this.#place(() =>
      this.#map.fitBounds(
        [
          [latitudeOf(south), longitudeOf(west)],
          [latitudeOf(north), longitudeOf(east)],
        ],
        { ...freePart(this.#map.getContainer()), maxZoom: 15, animate: false },
      ),
    );
  }

  /** Goes to a place, near enough to see it. One that is well on the screen stays where it is. */
  show(x: number, y: number): void {
    if (Number.isNaN(x)) return;
    const view = this.#free(viewOf(this.#map));
    const [sx, sy] = [x * view.scale - view.left, y * view.scale - view.top];
    const isVisible = sx > 60 && sy > 60 && sx < view.width - 60 && sy < view.height - 60;
    if (isVisible && this.#map.getZoom() >= CLOSE_ZOOM - 3) return;
    this.#goTo(x, y, CLOSE_ZOOM);
  }

  /** Goes to the vehicle in any case. */
  centre(marker: Marker | null): void {
    if (marker === null || Number.isNaN(marker.x)) return;
    this.#goTo(marker.x, marker.y, CLOSE_ZOOM - 3);
  }

  /** To the middle of what is not covered. */
  #goTo(x: number, y: number, leastZoom: number): void {
    this.#linked = null;
    this.#centre([latitudeOf(y), longitudeOf(x)], Math.max(this.#map.getZoom(), leastZoom));
  }

  #centre(place: [latitude: number, longitude: number], zoom: number): void {
    this.#place(() => {
      this.#map.setView(place, zoom, { animate: false });
      if (this.covered > 0) this.#map.panBy([0, this.covered / 2], { animate: false });
    });
  }

  #free(view: View): View {
    return { ...view, height: view.height - this.covered };
  }

  /** Whether a vehicle is on the screen. */
  isVisible(marker: Marker | null): boolean {
    const at = this.#onScreen(marker);
    const { width, height } = this.#free(viewOf(this.#map));
    return at !== null && at.x >= 0 && at.y >= 0 && at.x <= width && at.y <= height;
  }

  /** The chosen vehicle stays where it is on the screen. */
  zoomBy(levels: number): void {
    const selected = this.#selected();
    const zoom = this.#map.getZoom() + levels;
    if (selected === null || !this.isVisible(selected)) this.#map.setZoom(zoom);
    else this.#map.setZoomAround([latitudeOf(selected.y), longitudeOf(selected.x)], zoom, { animate: false });
  }

  /** Keeps the vehicle that is followed in the middle. Returns whether the map has moved. */
  #stayWith(now: number): boolean {
    const marker = this.#follow.isOn ? this.#selected() : null;
    if (marker === null || Number.isNaN(marker.x)) return false;
    const part = progress(marker, now);
    const [x, y] = [marker.fromX + (marker.x - marker.fromX) * part, marker.fromY + (marker.y - marker.fromY) * part];
    const view = this.#free(viewOf(this.#map));
    const [dx, dy] = [
      Math.round(screenX(view, x + shiftOf(view, x)) - view.width / 2),
      Math.round(screenY(view, y) - view.height / 2),
    ];
    if (dx === 0 && dy === 0) return false;
    this.#place(() => this.#map.panBy([dx, dy], { animate: false }));
    return true;
  }

  /** Zooms in to what a mark holds, or lists it when the vehicles stand at one point. */
  #open({ members, x, y }: Mark): void {
    const { width, height } = viewOf(this.#map);
    const isOnePoint =
      this.#map.getZoom() >= ONE_POINT_ZOOM || clustersOf(members, 256 * 2 ** ONE_POINT_ZOOM).length === 1;
    if (isOnePoint) {
      this.#heap.show(
        members.map(({ vehicle }) => vehicle),
        { x, y, width, height },
      );
      return;
    }
    const zoom = this.#map.getZoom();
    this.fit(members);
    if (this.#map.getZoom() < zoom + 1) this.#map.setZoom(zoom + 1, { animate: false });
    this.#onMoved();
  }

  /** What is in the middle of the part that nothing covers. A link takes it to a screen of another size. */
  get view(): MapView {
    const { x, y } = this.#map.getSize();
    const { lat: latitude, lng: longitude } = this.#map.containerPointToLatLng([x / 2, (y - this.covered) / 2]);
    return { zoom: this.#map.getZoom(), latitude, longitude };
  }

  set view(view: MapView) {
    this.#linked = view;
    // Shows it, too.
    this.resize();
  }

  #showLinked({ zoom, latitude, longitude }: MapView): void {
    this.#centre([latitude, longitude], zoom);
  }

  #selected(): Marker | null {
    return this.#model.fleet().markers.get(this.#model.selectedId() ?? '') ?? null;
  }

  /** What the buttons to zoom take from the upper right corner. */
  #buttons(): TakenCorner {
    const { top, right } = this.#map.getContainer().getBoundingClientRect();
    const { left, bottom } = find('map-buttons', HTMLElement).getBoundingClientRect();
    return { width: right - left, height: bottom - top };
  }

  #edgeLabel(): string {
    const selected = this.#selected();
    return this.#model.formats.language.text('goTo', { name: selected === null ? '' : nameOf(selected.vehicle) });
  }

  /** Null while the position is unknown. */
  #onScreen(marker: Marker | null): { readonly x: number; readonly y: number } | null {
    if (marker === null || Number.isNaN(marker.x)) return null;
    const view = viewOf(this.#map);
    return { x: screenX(view, marker.x + shiftOf(view, marker.x)), y: screenY(view, marker.y) };
  }

  #credit(credit: { readonly ground?: string; readonly tiles?: string }): void {
    Object.assign(this.#credits, credit);
    const text = [this.#credits.tiles, this.#credits.ground].filter(Boolean).join(' · ');
    const target = find('attribution', HTMLElement);
    target.hidden = text === '';
    setText(target, text);
  }

  /** A bar with a round length. */
  showScale(): void {
    const { scale, top, height, width } = viewOf(this.#map);
    const isMetric = this.#model.formats.units === 'metric';
    const metresPerPixel = metresAt((top + height / 2) / scale) / scale;
    const units = isMetric
      ? { size: 1, small: 'm', large: 'km', ratio: 1_000 }
      : { size: 0.3048, small: 'ft', large: 'mi', ratio: 5_280 };
    const most = (Math.min(130, width / 3) * metresPerPixel) / units.size;
    const isLarge = most >= units.ratio;
    const round = roundBelow(isLarge ? most / units.ratio : most);
    const length = (round * (isLarge ? units.ratio : 1) * units.size) / metresPerPixel;
    const target = find('scale', HTMLElement);
    target.style.width = `${Math.round(length)}px`;
    setText(target, `${round} ${isLarge ? units.large : units.small}`);
  }

  /** Before Leaflet, which zooms to the middle. */
  #onKey(event: KeyboardEvent): void {
    if (event.key.startsWith('Arrow')) this.#follow.end();
    const levels = { '+': 1, '=': 1, '-': -1, _: -1 }[event.key];
    if (levels === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.zoomBy(levels);
  }

  #onMoved(): void {
    this.#linked = null;
    this.#events.moved();
  }

  #listen({ select, selectPlace, hover, moment }: MapEvents): void {
    const container = this.#map.getContainer();
    this.#map.on('move zoom resize', () => {
      this.showScale();
      hover(null, 0, 0);
      this.#heap.hide();
    });
    this.#map.on('moveend', () => !this.#isPlacing && this.#onMoved());
    container.addEventListener('keydown', (event) => this.#onKey(event), { capture: true });
    const under = ({ containerPoint: { x, y } }: LeafletMouseEvent) =>
      this.#vehicles.at(x, y, this.#model.selectedId());
    const fenceUnder = ({ containerPoint: { x, y } }: LeafletMouseEvent) =>
      fenceAt(this.fences, viewOf(this.#map), x, y);
    this.#map.on('click', (event: LeafletMouseEvent) => {
      const mark = under(event);
      hover(null, 0, 0);
      this.#heap.hide();
      if (mark !== null && mark.members.length > 1) this.#open(mark);
      else if (mark !== null) select(mark.members[0]?.vehicle.id ?? null);
      else {
        const fence = fenceUnder(event);
        if (fence === null) select(null);
        else selectPlace(fence);
      }
    });
    this.#map.on('mousemove', (event: LeafletMouseEvent) => {
      const mark = under(event);
      const target = mark ?? fenceUnder(event);
      container.classList.toggle('on-mark', target !== null);
      hover(target, event.containerPoint.x, event.containerPoint.y);
      const day = this.#track?.day ?? null;
      if (day !== null) moment(timeNear(day.track, day.chosen ?? day, viewOf(this.#map), event.containerPoint));
    });
    this.#map.on('dragstart', () => this.#follow.end());
    this.#map.on('mouseout', () => {
      hover(null, 0, 0);
      moment(null);
    });
    find('zoom-in', HTMLButtonElement).addEventListener('click', () => this.zoomBy(1));
    find('zoom-out', HTMLButtonElement).addEventListener('click', () => this.zoomBy(-1));
    new ResizeObserver(() => this.resize()).observe(container);
  }
}

/** 1, 2 or 5 times a power of ten. */
function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return power * ([5, 2, 1].find((digit) => digit * power <= value) ?? 1);
}
