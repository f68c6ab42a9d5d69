// Pictures of clusters: a ring of statuses and a count. Cached, because arcs and text are slow.
import { markRadius, ringParts } from './clusters.js';
import { type Status, statuses } from './list-order.js';
import type { Palette } from './theme.js';
import type { Language } from './words/language.js';

/** Few ring parts, so that many clusters share a picture. */
const PARTS = 16;
const MOST_PICTURES = 2_000;

export class ClusterPictures {
  readonly #pictures = new Map<string, HTMLCanvasElement>();

  clear(): void {
    this.#pictures.clear();
  }

  draw(
    context: CanvasRenderingContext2D,
    { x, y, counts }: { readonly x: number; readonly y: number; readonly counts: readonly number[] },
    palette: Palette,
    ratio: number,
  ): void {
    const count = counts.reduce((sum, one) => sum + one, 0);
    const size = 2 * markRadius(count) + 2;
    const parts = ringParts(counts, PARTS);
    const ring = this.#picture(`${parts} ${size} ${ratio}`, size, size, ratio, (target) =>
      drawRing(target, parts, size, palette),
    );
    const text = countText(count);
    const number = this.#picture(`${text} ${ratio}`, 40, 14, ratio, (target) => drawCount(target, text, palette));
    const put = (picture: HTMLCanvasElement, width: number, height: number) => {
      const corner = (value: number, half: number) => Math.round((value - half) * ratio) / ratio;
      context.drawImage(picture, corner(x, width / 2), corner(y, height / 2), width, height);
    };
    put(ring, size, size);
    put(number, 40, 14);
  }

  #picture(
    key: string,
    width: number,
    height: number,
    ratio: number,
    paint: (context: CanvasRenderingContext2D) => void,
  ): HTMLCanvasElement {
    const cached = this.#pictures.get(key);
    if (cached !== undefined) return cached;
    const made = document.createElement('canvas');
    made.width = Math.ceil(width * ratio);
    made.height = Math.ceil(height * ratio);
    const context = made.getContext('2d');
    context?.scale(made.width / width, made.height / height);
    if (context) paint(context);
    if (this.#pictures.size >= MOST_PICTURES) this.#pictures.clear();
    this.#pictures.set(key, made);
    return made;
  }
}

/** Returns the counts in the order of {@link statuses}. */
export function statusCounts(members: readonly { readonly vehicle: { readonly status: Status } }[]): readonly number[] {
  const counts = statuses.map(() => 0);
  for (const { vehicle } of members) {
    const index = statuses.indexOf(vehicle.status);
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts;
}

/** Returns `8 moving, 3 stopped`. */
export function clusterCountsText(counts: readonly number[], language: Language): string {
  return statuses
    .flatMap((status, i) => (counts[i] ? `${language.whole(counts[i] ?? 0)} ${language.text(status)}` : []))
    .join(', ');
}

function drawRing(context: CanvasRenderingContext2D, parts: readonly number[], size: number, palette: Palette): void {
  const middle = size / 2;
  context.beginPath();
  context.arc(middle, middle, middle - 1, 0, 2 * Math.PI);
  context.fillStyle = palette.ground;
  context.fill();
  context.lineWidth = 4;
  let angle = -Math.PI / 2;
  statuses.forEach((status, index) => {
    const end = angle + ((parts[index] ?? 0) / PARTS) * 2 * Math.PI;
    if (end === angle) return;
    context.beginPath();
    context.arc(middle, middle, middle - 3, angle, end);
    context.strokeStyle = palette.statuses[status];
    context.stroke();
    angle = end;
  });
}

function drawCount(context: CanvasRenderingContext2D, text: string, palette: Palette): void {
  context.font = 'bold 11px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = palette.text;
  context.fillText(text, 20, 7.5);
}

/** Returns `999`, `1.2k` or `12k`. */
function countText(count: number): string {
  if (count < 1_000) return String(count);
  return count < 9_950 ? `${(count / 1_000).toFixed(1)}k` : `${Math.round(count / 1_000)}k`;
}
