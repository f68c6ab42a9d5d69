// Draws names of the base map from cached pictures, because text is slow in every frame of a drag.
import type { PageView } from '../view.js';
import { LINE_HEIGHT, type PlacedName } from './place-names.js';
import type { NameStyle } from './style.js';

const MOST_PICTURES = 600;
/** Margin of the text for its halo. */
const BORDER = 3;

const fonts: Readonly<Record<NameStyle, string>> = {
  country: '600 12px system-ui, sans-serif',
  region: '11px system-ui, sans-serif',
  capital: '600 12px system-ui, sans-serif',
  city: '12px system-ui, sans-serif',
  town: '11px system-ui, sans-serif',
  village: '11px system-ui, sans-serif',
  street: '10.5px system-ui, sans-serif',
  water: 'italic 11px system-ui, sans-serif',
};

interface Picture {
  readonly canvas: HTMLCanvasElement;
  readonly width: number;
}

export class NameDrawing {
  readonly #pictures = new Map<string, Picture>();
  readonly #widths = new Map<string, number>();
  readonly #measuring = document.createElement('canvas').getContext('2d');
  #colors: { readonly place: string; readonly strong: string; readonly halo: string } | null = null;

  clear(): void {
    this.#pictures.clear();
    this.#colors = null;
  }

  widthOf(text: string, style: NameStyle): number {
    const key = `${style} ${text}`;
    const cached = this.#widths.get(key);
    if (cached !== undefined || this.#measuring === null) return cached ?? 0;
    if (this.#widths.size > 4 * MOST_PICTURES) this.#widths.clear();
    prepare(this.#measuring, style);
    const { width } = this.#measuring.measureText(shown(text, style));
    this.#widths.set(key, width);
    return width;
  }

  draw(context: CanvasRenderingContext2D, name: PlacedName, { left, top, width, height }: PageView): void {
    const { box, dot, angle } = name;
    const [x, y] = [box.left - left, box.top - top];
    if (box.right < left || box.bottom < top || x > width || y > height) return;
    if (dot !== null) {
      const { strong, halo } = this.#palette();
      context.beginPath();
      context.arc(dot.x - left, dot.y - top, name.style === 'capital' ? 2.6 : 1.9, 0, 2 * Math.PI);
      context.fillStyle = strong;
      context.strokeStyle = halo;
      context.lineWidth = 1.5;
      context.stroke();
      context.fill();
    }
    const { canvas, width: pictureWidth } = this.#picture(name);
    const height0 = LINE_HEIGHT + 2 * BORDER;
    if (angle === 0) {
      // Whole pixels stay sharp.
      context.drawImage(canvas, Math.round(x) - BORDER, Math.round(y) - BORDER, pictureWidth, height0);
      return;
    }
    context.save();
    context.translate((box.left + box.right) / 2 - left, (box.top + box.bottom) / 2 - top);
    context.rotate(angle);
    context.drawImage(canvas, -pictureWidth / 2, -height0 / 2, pictureWidth, height0);
    context.restore();
  }

  #palette() {
    if (this.#colors === null) {
      const styles = getComputedStyle(document.documentElement);
      const color = (name: string) => styles.getPropertyValue(`--${name}`).trim();
      this.#colors = { place: color('place'), strong: color('place-strong'), halo: color('ground') };
    }
    return this.#colors;
  }

  #picture({ text, style }: PlacedName): Picture {
    const ratio = window.devicePixelRatio || 1;
    const key = `${style} ${ratio} ${text}`;
    const cached = this.#pictures.get(key);
    if (cached !== undefined) return cached;
    if (this.#pictures.size > MOST_PICTURES) this.#pictures.clear();
    const canvas = document.createElement('canvas');
    const width = Math.ceil(this.widthOf(text, style)) + 2 * BORDER;
    canvas.width = Math.ceil(width * ratio);
    canvas.height = Math.ceil((LINE_HEIGHT + 2 * BORDER) * ratio);
    const context = canvas.getContext('2d');
    if (context !== null) {
      const { place, strong, halo } = this.#palette();
      context.scale(ratio, ratio);
      prepare(context, style);
      context.textBaseline = 'middle';
      context.lineJoin = 'round';
      context.lineWidth = 2.5;
      context.strokeStyle = halo;
      const y = LINE_HEIGHT / 2 + BORDER + 0.5;
      context.strokeText(shown(text, style), BORDER, y);
      context.fillStyle = style === 'capital' || style === 'city' ? strong : place;
      context.fillText(shown(text, style), BORDER, y);
    }
    const picture = { canvas, width };
    this.#pictures.set(key, picture);
    return picture;
  }
}

function prepare(context: CanvasRenderingContext2D, style: NameStyle): void {
  context.font = fonts[style];
  context.letterSpacing = style === 'country' ? '1.5px' : style === 'region' ? '1px' : '0px';
}

function shown(text: string, style: NameStyle): string {
  return style === 'country' || style === 'region' ? text.toLocaleUpperCase() : text;
}
