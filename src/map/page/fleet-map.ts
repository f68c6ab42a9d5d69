// The map: Leaflet moves and zooms it and loads tiles; the canvases over it are ours.
import { Map as LeafletMap, type LeafletMouseEvent, TileLayer } from 'leaflet';
import type { MapTiles } from '../shapes.js';
import { CanvasPane, viewOf } from './canvas-pane.js';
import { find, setText } from './dom.js';
import { drawGeofences } from './draw-geofences.js';
import { drawGraticule, drawRoads, type Line } from './draw-ground.js';
import { drawPast, type TrackPainter } from './draw-track.js';
import { VehiclePainter } from './draw-vehicles.js';
import type { Fence } from './fence.js';
import type { Fleet } from './fleet.js';
import type { Formats } from './format.js';
import { latitudeOf, longitudeOf, metresAt } from './mercator.js';
import type { Palette } from './theme.js';
import type { Place } from './track.js';

export interface MapModel {
  readonly fleet: Fleet;
  readonly palette: () => Palette;
  readonly formats: Formats;
  selectedId: () => string | null;
  isListed: (vehicleId: string) => boolean;
}

export interface MapEvents {
  select(vehicleId: string | null): void;
  /** The vehicle under the pointer. */
  hover(vehicleId: string | null, x: number, y: number): void;
}

const CLOSE_ZOOM = 14;

export class FleetMap {
  roads: readonly Line[] = [];
  fences: readonly Fence[] = [];
  #track: TrackPainter | null = null;
  #past: Place | null = null;
  readonly #map: LeafletMap;
  readonly #model: MapModel;
  readonly #vehicles = new VehiclePainter();
  readonly #panes: { readonly ground: CanvasPane; readonly track: CanvasPane; readonly fleet: CanvasPane };
  readonly #isCalm = window.matchMedia('(prefers-reduced-motion: reduce)');

  constructor(model: MapModel, tiles: MapTiles | null, events: MapEvents) {
    this.#model = model;
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
    this.#map.setView([30, 10], 2);
    if (tiles !== null) this.#showTiles(tiles);
    const { fleet, palette } = model;
    this.#panes = {
      ground: new CanvasPane(this.#map, (context, view) => {
        if (tiles === null) {
          drawGraticule(context, view, palette());
          drawRoads(context, view, this.roads, palette());
        }
        drawGeofences(context, view, this.fences, palette());
      }),
      track: new CanvasPane(this.#map, (context, view) => {
        this.#track?.draw(context, view, palette());
        if (this.#past !== null) drawPast(context, view, this.#past, palette());
      }),
      fleet: new CanvasPane(this.#map, (context, view) => {
        const now = performance.now();
        this.#vehicles.draw(context, view, fleet, {
          palette: palette(),
          selectedId: model.selectedId(),
          isListed: model.isListed,
          now,
        });
        if (fleet.isGliding(now)) this.#panes.fleet.invalidate();
      }),
    };
    this.#listen(events);
    this.showScale();
  }

  get glides(): boolean {
    return !this.#isCalm.matches;
  }

  set track(track: TrackPainter | null) {
    this.#track = track;
    this.#panes.track.invalidate();
  }

  /** Where the chosen vehicle was at the time of the slider. */
  set past(place: Place | null) {
    this.#past = place;
    this.#panes.track.invalidate();
  }

  /** After vehicles have changed. */
  drawFleet(): void {
    this.#panes.fleet.invalidate();
  }

  /** After anything else has changed. */
  drawAll(): void {
    this.#panes.ground.invalidate();
    this.#panes.track.invalidate();
    this.#panes.fleet.invalidate();
  }

  /** After the page has another layout. */
  resize(): void {
    this.#map.invalidateSize({ pan: false });
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
    this.#map.fitBounds(
      [
        [latitudeOf(south), longitudeOf(west)],
        [latitudeOf(north), longitudeOf(east)],
      ],
      { padding: [50, 60], maxZoom: 15, animate: false },
    );
  }

  /** Goes to a place, near enough to see it. One that is well on the screen stays where it is. */
  show(x: number, y: number): void {
    if (Number.isNaN(x)) return;
    const view = viewOf(this.#map);
    const [sx, sy] = [x * view.scale - view.left, y * view.scale - view.top];
    const isVisible = sx > 60 && sy > 60 && sx < view.width - 60 && sy < view.height - 60;
    if (isVisible && this.#map.getZoom() >= CLOSE_ZOOM - 3) return;
    const zoom = Math.max(this.#map.getZoom(), CLOSE_ZOOM);
    this.#map.setView([latitudeOf(y), longitudeOf(x)], zoom, { animate: false });
  }

  zoomBy(levels: number): void {
    this.#map.setZoom(this.#map.getZoom() + levels);
  }

  #showTiles({ template, attribution }: MapTiles): void {
    new TileLayer(template, { maxZoom: 19, referrerPolicy: 'no-referrer' }).addTo(this.#map);
    const target = find('attribution', HTMLElement);
    target.hidden = false;
    setText(target, attribution);
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

  #listen({ select, hover }: MapEvents): void {
    const container = this.#map.getContainer();
    this.#map.on('move zoom resize', () => this.showScale());
    const under = ({ containerPoint: { x, y } }: LeafletMouseEvent) => this.#vehicles.at(x, y)?.vehicle.id ?? null;
    this.#map.on('click', (event: LeafletMouseEvent) => select(under(event)));
    this.#map.on('mousemove', (event: LeafletMouseEvent) => {
      const id = under(event);
      container.classList.toggle('on-vehicle', id !== null);
      hover(id, event.containerPoint.x, event.containerPoint.y);
    });
    this.#map.on('mouseout', () => hover(null, 0, 0));
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
