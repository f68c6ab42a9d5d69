// Draws thousands of vehicles with cached pictures, clusters, and names where there is room.
import { silentStatuses } from 'fleet-telematics/kit';
import { type Cluster, clustersOf, markRadius } from './clusters.js';
import { ClusterPictures, statusCounts } from './draw-clusters.js';
import { drawName, nameBox } from './draw-geofences.js';
import { type MapFleet, type Marker, progress } from './fleet.js';
import { type Box, isApart } from './ground-link.js';
import { displayName, type Status } from './list-order.js';
import type { Palette } from './theme.js';
import { type PageView, screenX, screenY, shiftOf } from './view.js';

const DIRECTIONS = 48;
const SIZE = 22;
/** More marks leave hardly any room for names, and the search for it takes long. */
const NAMES_TO = 300;
const MOST_NAMES = 80;
/** Maximum distance of a click, in pixels. */
const REACH = 16;

/** A vehicle, or several that overlap on the screen. */
export interface Mark {
  readonly members: readonly Marker[];
  readonly x: number;
  readonly y: number;
  /** Vehicles per status; null for one vehicle. */
  readonly counts: readonly number[] | null;
}

/** The displayed vehicles, clustered for a scale. */
interface Layout {
  readonly fleet: MapFleet;
  readonly version: number;
  readonly listed: ReadonlySet<string> | null;
  readonly selectedId: string | null;
  readonly comparedId: string | null;
  readonly scale: number;
  readonly clusters: readonly (Cluster<Marker> & { readonly counts: readonly number[] | null })[];
}

export class VehiclePainter {
  readonly #pictures = new Map<string, HTMLCanvasElement>();
  readonly #clusterPictures = new ClusterPictures();
  #palette: Palette | null = null;
  #layout: Layout | null = null;
  #shown: readonly Mark[] = [];
  #occupied: readonly Box[] = [];

  draw(context: CanvasRenderingContext2D, view: PageView, fleet: MapFleet, options: DrawOptions): readonly Box[] {
    const { palette, selectedId, comparedId, now } = options;
    if (this.#palette !== palette) {
      this.#pictures.clear();
      this.#clusterPictures.clear();
    }
    this.#palette = palette;
    this.#layout = this.#layoutOf(view, fleet, options);
    const isGliding = fleet.isGliding(now);
    const shown: Mark[] = [];
    for (const cluster of this.#layout.clusters) {
      const place = isGliding ? middleOf(cluster.members, now) : cluster;
      const x = screenX(view, place.x + shiftOf(view, place.x));
      const y = screenY(view, place.y);
      if (x <= -25 || y <= -25 || x >= view.width + 25 || y >= view.height + 25) continue;
      shown.push({ members: cluster.members, counts: cluster.counts, x, y });
    }
    const ratio = window.devicePixelRatio || 1;
    let selected: Mark | null = null;
    let compared: Mark | null = null;
    for (const mark of shown) {
      if (mark.counts !== null) this.#clusterPictures.draw(context, { ...mark, counts: mark.counts }, palette, ratio);
      else if (mark.members[0]?.vehicle.id === selectedId) selected = mark;
      else if (mark.members[0]?.vehicle.id === comparedId) compared = mark;
      else this.#drawOne(context, mark, SIZE, ratio, palette);
    }
    this.#shown = shown;
    const { names, marks } = drawNames(context, shown, [selected, compared], palette);
    this.#occupied = [...names, ...marks];
    for (const mark of [compared, selected]) {
      if (mark === null) continue;
      context.strokeStyle = mark === selected ? palette.accent : palette.text;
      context.lineWidth = 3;
      context.setLineDash(mark === selected ? [] : [6, 4]);
      context.beginPath();
      context.arc(mark.x, mark.y, 17, 0, 2 * Math.PI);
      context.stroke();
      context.setLineDash([]);
      this.#drawOne(context, mark, 24, ratio, palette);
    }
    return [...names, ...marks.filter((_, index) => shown[index]?.counts !== null)];
  }

  get occupied(): readonly Box[] {
    return this.#occupied;
  }

  /** Returns the mark at a point; the selected vehicle has priority. */
  at(x: number, y: number, selectedId: string | null): Mark | null {
    let nearest: Mark | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const mark of this.#shown) {
      const distance = Math.hypot(mark.x - x, mark.y - y);
      const isSelected = mark.members[0]?.vehicle.id === selectedId;
      const reach = Math.max(REACH, markRadius(mark.members.length));
      if (distance > reach) continue;
      if (isSelected && distance <= markRadius(1)) return mark;
      if (distance < least) [nearest, least] = [mark, distance];
    }
    return nearest;
  }

  /** Reuses the clusters until data or scale change, also while the map pans or vehicles glide. */
  #layoutOf({ scale }: PageView, fleet: MapFleet, { selectedId, comparedId, listed }: DrawOptions): Layout {
    const before = this.#layout;
    const { version } = fleet;
    const isSame =
      before?.fleet === fleet &&
      before.version === version &&
      before.listed === listed &&
      before.selectedId === selectedId &&
      before.comparedId === comparedId &&
      before.scale === scale;
    if (isSame) return before;
    const pinned = [selectedId, comparedId].flatMap((id) => fleet.markers.get(id ?? '') ?? []);
    const others: Marker[] = [];
    for (const [id, marker] of fleet.markers) {
      if (!pinned.includes(marker) && !Number.isNaN(marker.x) && (listed === null || listed.has(id)))
        others.push(marker);
    }
    const clusters = clustersOf(others, scale).map((cluster) => ({
      ...cluster,
      counts: cluster.members.length === 1 ? null : statusCounts(cluster.members),
    }));
    for (const marker of pinned) {
      if (!Number.isNaN(marker.x)) clusters.push({ members: [marker], x: marker.x, y: marker.y, counts: null });
    }
    return { fleet, version, listed, selectedId, comparedId, scale, clusters };
  }

  #drawOne(
    context: CanvasRenderingContext2D,
    { members, x, y }: Mark,
    size: number,
    ratio: number,
    palette: Palette,
  ): void {
    const [marker] = members;
    if (marker === undefined) return;
    const { status, heading } = marker.vehicle;
    const hasDirection = status === 'moving' && heading !== null;
    const direction = hasDirection ? Math.round((heading / 360) * DIRECTIONS) % DIRECTIONS : -1;
    const key = `${status} ${direction} ${size} ${ratio}`;
    let picture = this.#pictures.get(key);
    if (picture === undefined) {
      picture = pictureOf(status, direction < 0 ? null : (direction / DIRECTIONS) * 2 * Math.PI, size, ratio, palette);
      this.#pictures.set(key, picture);
    }
    // Whole pixels are fastest and sharp.
    const corner = (value: number) => Math.round((value - size / 2) * ratio) / ratio;
    context.drawImage(picture, corner(x), corner(y), size, size);
  }
}

export interface DrawOptions {
  readonly palette: Palette;
  readonly selectedId: string | null;
  readonly comparedId: string | null;
  /** Null for all. */
  readonly listed: ReadonlySet<string> | null;
  /** By the page clock. */
  readonly now: number;
}

/** In radians; null without a direction. */
function pictureOf(
  status: Status,
  turn: number | null,
  size: number,
  ratio: number,
  palette: Palette,
): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(size * ratio);
  canvas.height = canvas.width;
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
  context.scale(canvas.width / 24, canvas.width / 24);
  context.translate(12, 12);
  context.fillStyle = palette.statuses[status];
  context.strokeStyle = palette.ground;
  context.lineWidth = 2;
  context.lineJoin = 'round';
  context.beginPath();
  if (status === 'moving' && turn !== null) {
    context.rotate(turn);
    context.moveTo(0, -10);
    context.lineTo(7.5, 9);
    context.lineTo(0, 5);
    context.lineTo(-7.5, 9);
    context.closePath();
  } else if (status === 'stopped') context.roundRect(-6, -6, 12, 12, 3);
  else context.arc(0, 0, 7, 0, 2 * Math.PI);
  if (silentStatuses.includes(status)) {
    context.fillStyle = palette.ground;
    context.fill();
    context.strokeStyle = palette.statuses[status];
    context.lineWidth = 2.5;
    context.stroke();
    if (status === 'offline') cross(context);
  } else {
    context.stroke();
    context.fill();
    if (status === 'idling') dot(context, palette.ground);
  }
  return canvas;
}

function cross(context: CanvasRenderingContext2D): void {
  context.beginPath();
  context.moveTo(-3, -3);
  context.lineTo(3, 3);
  context.moveTo(3, -3);
  context.lineTo(-3, 3);
  context.stroke();
}

function dot(context: CanvasRenderingContext2D, color: string): void {
  context.fillStyle = color;
  context.beginPath();
  context.arc(0, 0, 2.5, 0, 2 * Math.PI);
  context.fill();
}

function middleOf(members: readonly Marker[], now: number): { readonly x: number; readonly y: number } {
  let [x, y] = [0, 0];
  for (const marker of members) {
    const part = progress(marker, now);
    x += marker.fromX + (marker.x - marker.fromX) * part;
    y += marker.fromY + (marker.y - marker.fromY) * part;
  }
  return { x: x / members.length, y: y / members.length };
}

/** Draws names without overlaps; selected and compared vehicle always have theirs. */
function drawNames(
  context: CanvasRenderingContext2D,
  shown: readonly Mark[],
  pinned: readonly (Mark | null)[],
  palette: Palette,
): { readonly names: readonly Box[]; readonly marks: readonly Box[] } {
  const marks = shown.map(({ members, x, y }) => {
    const radius = markRadius(members.length);
    return { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius };
  });
  const names: Box[] = [];
  const put = ({ members: [marker], x, y }: Mark, isForced: boolean) => {
    if (marker === undefined) return;
    const name = displayName(marker.vehicle);
    let bottom = y - (isForced ? 18 : 12);
    // For two vehicles at one point, the second name is below.
    if (isForced && !names.every((other) => isApart(nameBox(name, x, bottom), other))) bottom = y + 36;
    const box = nameBox(name, x, bottom);
    const isFree = (other: Box) => isApart(box, other);
    if (!isForced && !(names.every(isFree) && marks.every(isFree))) return;
    names.push(box);
    drawName(context, name, x, bottom, palette.text, palette.ground);
  };
  for (const mark of pinned) if (mark !== null) put(mark, true);
  for (const mark of shown.length > NAMES_TO ? [] : shown) {
    if (names.length >= MOST_NAMES) break;
    if (mark.counts === null && !pinned.includes(mark)) put(mark, false);
  }
  return { names, marks };
}
