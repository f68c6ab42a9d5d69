// Draws the base map: the world of the package, and streets of an archive over it. The canvas is
// larger than the screen, so that a pan only moves it.

import { CanvasPane, viewOf } from '../canvas-pane.js';
import { make } from '../dom.js';
import { type Box, type Ground, type GroundHost, isApart } from '../ground-link.js';
import type { PageView } from '../view.js';
import { streetsArchive, worldArchive } from './archives.js';
import { drawTiles, type FoundName } from './draw-tiles.js';
import { NameDrawing } from './name-drawing.js';
import { GroundNaming } from './naming.js';
import { type NameCandidate, type PlacedName, placeNames } from './place-names.js';
import { streetsStyle, worldStyle } from './style.js';
import { TileStore } from './tile-store.js';

/** Pixels that are drawn around the screen. */
const MARGIN = 160;

export function startGround(host: GroundHost): Ground {
  return new DrawnGround(host);
}

class DrawnGround implements Ground {
  readonly #host: GroundHost;
  readonly #canvas = make('canvas', { class: 'ground', 'aria-hidden': 'true' });
  readonly #names: CanvasPane;
  readonly #drawing = new NameDrawing();
  readonly #world: TileStore;
  readonly #streets: TileStore | null;
  readonly #naming = new GroundNaming(navigator.languages);
  #frame = 0;
  #shown: PageView | null = null;
  #placed: readonly PlacedName[] = [];
  readonly #occupied = new Map<string, readonly Box[]>();
  #hidden = '';
  #hasNames = true;

  constructor(host: GroundHost) {
    this.#host = host;
    const { map, setup } = host;
    map.getContainer().prepend(this.#canvas);
    this.#names = new CanvasPane(map, (context, view) => this.#drawNames(context, view), 'lowest');
    const streets = streetsArchive(setup);
    const onChange = () => this.#invalidate();
    // A stopped server is reported elsewhere.
    this.#world = new TileStore(worldArchive(setup), worldStyle, onChange, () => {});
    this.#streets =
      streets === null ? null : new TileStore(streets, streetsStyle, onChange, (isLost) => host.lose(isLost));
    void this.#readMetadata();
    map.on('move zoom viewreset resize load', () => this.#follow());
    this.#invalidate();
  }

  redraw(): void {
    this.#drawing.clear();
    this.#shown = null;
    this.#invalidate();
  }

  /** Hides the place names that overlap these boxes, which replace earlier ones of the kind. */
  avoid(kind: string, boxes: readonly Box[]): void {
    this.#occupied.set(kind, boxes);
    const view = viewOf(this.#host.map);
    const hidden = this.#placed.map((name) => (this.#isFree(name, view) ? '' : name.text)).join('\n');
    if (hidden === this.#hidden) return;
    this.#hidden = hidden;
    this.#names.invalidate();
  }

  showNames(isShown: boolean): void {
    this.#hasNames = isShown;
    this.#names.invalidate();
  }

  async #readMetadata(): Promise<void> {
    const credits: string[] = [];
    try {
      const { attribution, names } = await this.#world.metadata();
      if (typeof attribution === 'string') credits.push(attribution);
      this.#naming.learn(names);
      if (this.#streets !== null) {
        const { attribution: other } = await this.#streets.metadata();
        credits.unshift(typeof other === 'string' && other !== '' ? textOf(other) : '© OpenStreetMap');
      }
    } catch {
      // An unreadable archive is not credited; its store reports it.
    }
    this.#host.credit(credits.join(' · '));
    this.#invalidate();
  }

  /** Moves the canvas while it covers the screen; otherwise redraws it. */
  #follow(): void {
    const { map } = this.#host;
    const view = viewOf(map);
    const shown = this.#shown;
    if (shown === null) return;
    const [x, y] = [shown.left + MARGIN - view.left, shown.top + MARGIN - view.top];
    const isCovered = Math.abs(x) <= MARGIN && Math.abs(y) <= MARGIN && shown.scale === view.scale;
    const isWhole = shown.width === view.width + 2 * MARGIN && shown.height === view.height + 2 * MARGIN;
    if (!isCovered || !isWhole) this.#invalidate();
    else this.#canvas.style.transform = `translate(${x - MARGIN}px, ${y - MARGIN}px)`;
  }

  #invalidate(): void {
    this.#shown = null;
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    this.#frame = 0;
    const view = viewOf(this.#host.map);
    if (view.width === 0 || view.height === 0) return;
    const large = {
      scale: view.scale,
      left: Math.round(view.left) - MARGIN,
      top: Math.round(view.top) - MARGIN,
      width: view.width + 2 * MARGIN,
      height: view.height + 2 * MARGIN,
    };
    const ratio = window.devicePixelRatio || 1;
    const [columns, rows] = [Math.round(large.width * ratio), Math.round(large.height * ratio)];
    if (this.#canvas.width !== columns || this.#canvas.height !== rows) {
      this.#canvas.width = columns;
      this.#canvas.height = rows;
      this.#canvas.style.width = `${large.width}px`;
      this.#canvas.style.height = `${large.height}px`;
    }
    // An opaque canvas is composited faster.
    const context = this.#canvas.getContext('2d', { alpha: false });
    if (context === null) return;
    const styles = getComputedStyle(document.documentElement);
    const color = (name: string) => styles.getPropertyValue(`--${name}`).trim();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    // Before data has loaded, land is the better guess.
    context.fillStyle = color(this.#world.header === null ? 'ground' : 'sea');
    context.fillRect(0, 0, large.width, large.height);
    const world = drawTiles(context, large, this.#world, color);
    const streets = this.#streets === null ? [] : drawTiles(context, large, this.#streets, color);
    const zoom = Math.log2(view.scale / 256);
    // The streets' archive has the names of its area.
    const isAlone = ({ x, y }: FoundName) => this.#streets?.covers(zoom, x / view.scale, y / view.scale) !== true;
    const visibleNames = [...world.filter(isAlone), ...streets];
    const texts = visibleNames.flatMap((found) => this.#candidatesOf(found, zoom));
    this.#placed = placeNames(texts, (text, style) => this.#drawing.widthOf(text, style));
    this.#shown = large;
    this.#follow();
    this.#names.invalidate();
  }

  #candidatesOf({ name, x, y, size }: FoundName, zoom: number): readonly NameCandidate[] {
    const wish = name.rule.name(name.properties, zoom);
    const text = wish === null ? '' : this.#naming.textOf(name);
    if (wish === null || text === '') return [];
    const along = name.along === null ? null : { angle: name.along.angle, length: name.along.length * size };
    return [{ text, ...wish, x, y, along }];
  }

  #isFree({ box }: PlacedName, { left, top }: PageView): boolean {
    const onScreen = { left: box.left - left, right: box.right - left, top: box.top - top, bottom: box.bottom - top };
    for (const boxes of this.#occupied.values()) if (boxes.some((other) => !isApart(onScreen, other))) return false;
    return true;
  }

  #drawNames(context: CanvasRenderingContext2D, view: PageView): void {
    if (!this.#hasNames) return;
    for (const name of this.#placed) if (this.#isFree(name, view)) this.#drawing.draw(context, name, view);
  }
}

/** Attributions are HTML; nothing in it runs or loads. */
function textOf(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent?.trim() ?? '';
}
