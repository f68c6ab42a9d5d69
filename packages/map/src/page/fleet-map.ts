// The map: Leaflet pans, zooms and loads tiles; this code draws the canvases over it.
import { Map as LeafletMap, type LeafletMouseEvent } from 'leaflet';
import type { MapSetup } from '../shapes.js';
import { Camera, Follow } from './camera.js';
import { CanvasPane, viewOf } from './canvas-pane.js';
import { clustersOf } from './clusters.js';
import { find, setText } from './dom.js';
import { drawGeofenceNames, drawGeofences } from './draw-geofences.js';
import { drawGraticule, drawRoads } from './draw-ground.js';
import { drawMoment, type TrackPainter } from './draw-track.js';
import { type Mark, VehiclePainter } from './draw-vehicles.js';
import { type ButtonCorner, type EdgePoint, edgePoint } from './edge-point.js';
import type { Fence } from './fence.js';
import { fenceAt } from './fence-distance.js';
import type { MapFleet, Marker } from './fleet.js';
import type { Formats } from './format.js';
import type { Ground, GroundFactory } from './ground-link.js';
import type { HeatMap } from './heat-map.js';
import type { Line } from './lines.js';
import { displayName } from './list-order.js';
import { metresAt } from './mercator.js';
import { timeNear, timeOfSign } from './nearest-on-track.js';
import { OverlapList } from './overlap-list.js';
import { RasterTiles } from './raster-tiles.js';
import type { Palette } from './theme.js';
import type { PageView } from './view.js';
import { type ProblemSentence, pageSentence } from './words/problem-sentences.js';

export interface MapModel {
  readonly fleet: () => MapFleet;
  readonly palette: () => Palette;
  readonly formats: Formats;
  selectedId: () => string | null;
  comparedId: () => string | null;
  chosenFence: () => Fence | null;
  /** Null for all. */
  listed: () => ReadonlySet<string> | null;
}

export interface MapEvents {
  select(vehicleId: string | null): void;
  selectPlace(fence: Fence): void;
  moment(at: number | null): void;
  hover(under: Mark | Fence | null, x: number, y: number): void;
  moved(): void;
  /** Null when the problem is over. */
  problem(part: 'tiles' | 'streets', said: readonly ProblemSentence[] | null): void;
}

/** Vehicles that still overlap at this zoom are at one point. */
const ONE_POINT_ZOOM = 17;
/** From this zoom on, the world map has no details for orientation. */
const GRATICULE_ZOOM = 10;

export class FleetMap {
  roads: readonly Line[] = [];
  /** Smallest first. */
  fences: readonly Fence[] = [];
  #track: TrackPainter | null = null;
  #secondTrack: TrackPainter | null = null;
  #heat: HeatMap | null = null;
  #moment: { readonly x: number; readonly y: number } | null = null;
  /** Null until the second script has loaded. */
  #ground: Ground | null = null;
  readonly #credits = { ground: '', tiles: '' };
  readonly camera: Camera;
  readonly #map: LeafletMap;
  readonly #model: MapModel;
  readonly #vehicles = new VehiclePainter();
  readonly #edge = new EdgeArrow(() => this.camera.centre(this.#selected()));
  readonly #follow = new Follow(() => {
    if (!this.camera.isVisible(this.#selected())) this.camera.centre(this.#selected());
    this.drawFleet();
  });
  readonly #heap: OverlapList;
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
    this.#heap = new OverlapList(model.formats.language, (id) => events.select(id));
    this.#map = new LeafletMap(find('map', HTMLElement), {
      zoomControl: false,
      attributionControl: false,
      // The canvases are redrawn in every frame and cannot be scaled by an animation.
      zoomAnimation: false,
      fadeAnimation: false,
      zoomSnap: tiles === null ? 0.25 : 1,
      zoomDelta: 1,
      wheelPxPerZoomLevel: 90,
      minZoom: 2,
      maxZoom: 19,
      worldCopyJump: true,
    });
    this.camera = new Camera(this.#map, {
      moved: () => events.moved(),
      covered: () => this.#panes.fleet.invalidate(),
    });
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
        const followed = this.#follow.isOn ? this.#selected() : null;
        const view = this.camera.stayWith(followed, now) ? viewOf(this.#map) : before;
        const names = this.#vehicles.draw(context, view, fleet, {
          palette: palette(),
          selectedId: model.selectedId(),
          comparedId: model.comparedId(),
          listed: model.listed(),
          now,
        });
        this.#ground?.avoid('vehicles', names);
        const occupied = this.#vehicles.occupied;
        const fenceNames = drawGeofenceNames(context, view, this.fences, model.chosenFence(), occupied, palette());
        this.#ground?.avoid('geofences', fenceNames);
        if (this.#moment !== null) drawMoment(context, view, this.#moment, palette());
        const at = this.camera.onScreen(this.#selected());
        this.#edge.show(
          at === null ? null : edgePoint(this.camera.free, at.x, at.y, this.#buttons()),
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
        lose: (isLost) => events.problem('streets', isLost ? [pageSentence(language.text('streetsMissing'))] : null),
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
      events.problem('tiles', text === null ? null : [pageSentence(text)]);
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

  drawFleet(): void {
    this.#follow.offer(this.#selected() !== null);
    this.#panes.fleet.invalidate();
  }

  recolor(): void {
    this.#ground?.redraw();
    this.drawAll();
  }

  drawAll(): void {
    this.#panes.ground.invalidate();
    this.#panes.track.invalidate();
    this.drawFleet();
  }

  /** Zooms in to the members of a mark, or lists them when they are at one point. */
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
    this.camera.zoomInTo(members);
  }

  #selected(): Marker | null {
    return this.#model.fleet().markers.get(this.#model.selectedId() ?? '') ?? null;
  }

  #buttons(): ButtonCorner {
    const { top, right } = this.#map.getContainer().getBoundingClientRect();
    const { left, bottom } = find('map-buttons', HTMLElement).getBoundingClientRect();
    return { width: right - left, height: bottom - top };
  }

  #edgeLabel(): string {
    const selected = this.#selected();
    return this.#model.formats.language.text('goTo', { name: selected === null ? '' : displayName(selected.vehicle) });
  }

  #credit(credit: { readonly ground?: string; readonly tiles?: string }): void {
    Object.assign(this.#credits, credit);
    const text = [this.#credits.tiles, this.#credits.ground].filter(Boolean).join(' · ');
    const target = find('attribution', HTMLElement);
    target.hidden = text === '';
    setText(target, text);
  }

  showScale(): void {
    showScale(viewOf(this.#map), this.#model.formats.units);
  }

  /** Runs before Leaflet's handler, which would zoom to the centre. */
  #onKey(event: KeyboardEvent): void {
    if (event.key.startsWith('Arrow')) this.#follow.end();
    const levels = { '+': 1, '=': 1, '-': -1, _: -1 }[event.key];
    if (levels === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.#zoomBy(levels);
  }

  #zoomBy(levels: number): void {
    this.camera.zoomBy(levels, this.#selected());
  }

  #listen({ select, selectPlace, hover, moment }: MapEvents): void {
    const container = this.#map.getContainer();
    this.#map.on('move zoom resize', () => {
      this.showScale();
      hover(null, 0, 0);
      this.#heap.hide();
    });
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
      if (day === null) return;
      const [view, point] = [viewOf(this.#map), event.containerPoint];
      moment(timeOfSign(day, view, point) ?? timeNear(day.track, day.chosen ?? day, view, point));
    });
    this.#map.on('dragstart', () => this.#follow.end());
    this.#map.on('mouseout', () => {
      hover(null, 0, 0);
      moment(null);
    });
    find('zoom-in', HTMLButtonElement).addEventListener('click', () => this.#zoomBy(1));
    find('zoom-out', HTMLButtonElement).addEventListener('click', () => this.#zoomBy(-1));
    new ResizeObserver(() => this.camera.resize()).observe(container);
  }
}

/** The arrow at the edge of the map to a selected vehicle off the screen. A click goes there. */
class EdgeArrow {
  readonly #button = find('edge', HTMLButtonElement);
  #shown = '';

  constructor(onClick: () => void) {
    this.#button.addEventListener('click', onClick);
  }

  show(point: EdgePoint | null, label: string): void {
    const key =
      point === null ? '' : `${Math.round(point.x)} ${Math.round(point.y)} ${Math.round(point.angle)} ${label}`;
    if (key === this.#shown) return;
    this.#shown = key;
    this.#button.hidden = point === null;
    if (point === null) return;
    const { style } = this.#button;
    style.left = `${Math.round(point.x)}px`;
    style.top = `${Math.round(point.y)}px`;
    style.setProperty('--turn', `${Math.round(point.angle)}deg`);
    if (this.#button.getAttribute('aria-label') !== label) this.#button.setAttribute('aria-label', label);
  }
}

const metric = { size: 1, small: 'm', large: 'km', ratio: 1_000 } as const;
const imperial = { size: 0.3048, small: 'ft', large: 'mi', ratio: 5_280 } as const;

function showScale({ scale, top, height, width }: PageView, units: 'metric' | 'imperial'): void {
  const { size, small, large, ratio } = units === 'metric' ? metric : imperial;
  const metresPerPixel = metresAt((top + height / 2) / scale) / scale;
  const most = (Math.min(130, width / 3) * metresPerPixel) / size;
  const isLarge = most >= ratio;
  const round = roundBelow(isLarge ? most / ratio : most);
  const length = (round * (isLarge ? ratio : 1) * size) / metresPerPixel;
  const target = find('scale', HTMLElement);
  target.style.width = `${Math.round(length)}px`;
  setText(target, `${round} ${isLarge ? large : small}`);
}

/** Returns 1, 2 or 5 times a power of ten. */
function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return power * ([5, 2, 1].find((digit) => digit * power <= value) ?? 1);
}
