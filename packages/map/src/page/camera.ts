// Moves the map to a link's view, to fitted places or to a vehicle; only moves by the user are
// reported.
import type { Map as LeafletMap } from 'leaflet';
import { viewOf } from './canvas-pane.js';
import { find } from './dom.js';
import { type Marker, progress } from './fleet.js';
import { latitudeOf, longitudeOf } from './mercator.js';
import { type PageView, screenX, screenY, shiftOf } from './view.js';

export interface CameraView {
  readonly zoom: number;
  readonly latitude: number;
  readonly longitude: number;
}

export interface CameraEvents {
  moved(): void;
  covered(): void;
}

/** A point in the Mercator unit square. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

const CLOSE_ZOOM = 14;

export class Camera {
  readonly #map: LeafletMap;
  readonly #events: CameraEvents;
  #covered = 0;
  /** View of a link, which stays centred until the map moves. */
  #linked: CameraView | null = null;
  #isPlacing = false;

  constructor(map: LeafletMap, events: CameraEvents) {
    this.#map = map;
    this.#events = events;
    this.#place(() => map.setView([30, 10], 2));
    map.on('moveend', () => !this.#isPlacing && this.#onMoved());
  }

  /** Height in pixels of the map below the sheet of a small screen. */
  get covered(): number {
    return this.#covered;
  }

  set covered(pixels: number) {
    if (pixels === this.#covered) return;
    this.#covered = pixels;
    this.#events.covered();
    if (this.#linked !== null) this.view = this.#linked;
  }

  resize(): void {
    this.#place(() => this.#map.invalidateSize({ pan: false }));
    if (this.#linked !== null) this.#showLinked(this.#linked);
  }

  fit(places: Iterable<Point>): void {
    let [west, east, north, south] = [2, -1, 2, -1];
    for (const { x, y } of places) {
      if (Number.isNaN(x)) continue;
      [west, east] = [Math.min(west, x), Math.max(east, x)];
      [north, south] = [Math.min(north, y), Math.max(south, y)];
    }
    if (west > east) return;
    this.#linked = null;
    // Leaflet does not know of a height that has changed in this task.
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

  /** Fits the places on the user's request, at least one zoom level closer. */
  zoomInTo(places: Iterable<Point>): void {
    const zoom = this.#map.getZoom();
    this.fit(places);
    if (this.#map.getZoom() < zoom + 1) this.#map.setZoom(zoom + 1, { animate: false });
    this.#onMoved();
  }

  /** Centres a position, close enough to see it. Does nothing when it is well on the screen. */
  show(x: number, y: number): void {
    if (Number.isNaN(x)) return;
    const view = this.free;
    const [sx, sy] = [x * view.scale - view.left, y * view.scale - view.top];
    const isVisible = sx > 60 && sy > 60 && sx < view.width - 60 && sy < view.height - 60;
    if (isVisible && this.#map.getZoom() >= CLOSE_ZOOM - 3) return;
    this.#goTo(x, y, CLOSE_ZOOM);
  }

  centre(marker: Marker | null): void {
    if (marker === null || Number.isNaN(marker.x)) return;
    this.#goTo(marker.x, marker.y, CLOSE_ZOOM - 3);
  }

  get free(): PageView {
    const view = viewOf(this.#map);
    return { ...view, height: view.height - this.#covered };
  }

  onScreen(marker: Marker | null): Point | null {
    if (marker === null || Number.isNaN(marker.x)) return null;
    const view = viewOf(this.#map);
    return { x: screenX(view, marker.x + shiftOf(view, marker.x)), y: screenY(view, marker.y) };
  }

  isVisible(marker: Marker | null): boolean {
    const at = this.onScreen(marker);
    const { width, height } = this.free;
    return at !== null && at.x >= 0 && at.y >= 0 && at.x <= width && at.y <= height;
  }

  /** Zooms. A selected vehicle that is on the screen keeps its position. */
  zoomBy(levels: number, selected: Marker | null): void {
    const zoom = this.#map.getZoom() + levels;
    if (selected === null || !this.isVisible(selected)) this.#map.setZoom(zoom);
    else this.#map.setZoomAround([latitudeOf(selected.y), longitudeOf(selected.x)], zoom, { animate: false });
  }

  /** Keeps a vehicle centred. Returns true when the map has moved. */
  stayWith(marker: Marker | null, now: number): boolean {
    if (marker === null || Number.isNaN(marker.x)) return false;
    const part = progress(marker, now);
    const [x, y] = [marker.fromX + (marker.x - marker.fromX) * part, marker.fromY + (marker.y - marker.fromY) * part];
    const view = this.free;
    const [dx, dy] = [
      Math.round(screenX(view, x + shiftOf(view, x)) - view.width / 2),
      Math.round(screenY(view, y) - view.height / 2),
    ];
    if (dx === 0 && dy === 0) return false;
    this.#place(() => this.#map.panBy([dx, dy], { animate: false }));
    return true;
  }

  /** The centre of the uncovered part, so that a link works on another screen size. */
  get view(): CameraView {
    const { x, y } = this.#map.getSize();
    const { lat: latitude, lng: longitude } = this.#map.containerPointToLatLng([x / 2, (y - this.#covered) / 2]);
    return { zoom: this.#map.getZoom(), latitude, longitude };
  }

  set view(view: CameraView) {
    this.#linked = view;
    this.resize();
  }

  #showLinked({ zoom, latitude, longitude }: CameraView): void {
    this.#centre([latitude, longitude], zoom);
  }

  #goTo(x: number, y: number, leastZoom: number): void {
    this.#linked = null;
    this.#centre([latitudeOf(y), longitudeOf(x)], Math.max(this.#map.getZoom(), leastZoom));
  }

  #centre(place: [latitude: number, longitude: number], zoom: number): void {
    this.#place(() => {
      this.#map.setView(place, zoom, { animate: false });
      if (this.#covered > 0) this.#map.panBy([0, this.#covered / 2], { animate: false });
    });
  }

  #place(move: () => void): void {
    this.#isPlacing = true;
    move();
    this.#isPlacing = false;
  }

  #onMoved(): void {
    this.#linked = null;
    this.#events.moved();
  }
}

type Corner = [number, number];

/** Returns the paddings of the uncovered part of the map: no legend, buttons or sheet. */
function freePart(map: HTMLElement): { readonly paddingTopLeft: Corner; readonly paddingBottomRight: Corner } {
  const { top, bottom, right, width, height } = map.getBoundingClientRect();
  const below = [...document.querySelectorAll('.corner > *')].flatMap((element) => {
    const box = element.getBoundingClientRect();
    return box.height === 0 ? [] : [box.top];
  });
  const covered = bottom - Math.min(bottom, ...below);
  // A column on the right, or on a small screen a row above.
  const buttons = find('map-buttons', HTMLElement).getBoundingClientRect();
  const isRow = buttons.width > buttons.height;
  // Leaves room for names, but a part for the places also on a small map.
  return {
    paddingTopLeft: [Math.min(40, width / 5), Math.min(50 + (isRow ? buttons.bottom - top : 0), height / 4)],
    paddingBottomRight: [
      Math.min(isRow ? 40 : right - buttons.left + 20, width / 5),
      Math.min(covered + 20, height * 0.65),
    ],
  };
}

/** Keeps the map on the selected vehicle until the user moves the map or deselects it. */
export class Follow {
  readonly #button = find('follow', HTMLButtonElement);
  #isOn = false;

  constructor(onStart: () => void) {
    this.#button.addEventListener('click', () => {
      this.#set(!this.#isOn);
      if (this.#isOn) onStart();
    });
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  offer(hasVehicle: boolean): void {
    this.#button.hidden = !hasVehicle;
    if (!hasVehicle) this.end();
  }

  end(): void {
    this.#set(false);
  }

  #set(isOn: boolean): void {
    this.#isOn = isOn;
    this.#button.setAttribute('aria-pressed', String(isOn));
  }
}
