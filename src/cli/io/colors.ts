// Decides whether to colour a stream, in the order of Node: FORCE_COLOR, NO_COLOR, terminal.
import { WriteStream } from 'node:tty';
import picocolors from 'picocolors';
import type { Env } from './child-env.js';
import type { OutputStream } from './io.js';

export type Colors = ReturnType<typeof picocolors.createColors>;

function wantsColor(stream: OutputStream, env: Env): boolean {
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env.NO_COLOR) return false;
  return stream.isTTY === true && env.TERM !== 'dumb';
}

export function colorsFor(stream: OutputStream, env: Env): Colors {
  return picocolors.createColors(wantsColor(stream, env));
}

/** Bits per colour of the terminal; null below 256 colours, where no colour is close enough. */
export type ColorBits = 8 | 24 | null;

export function colorBitsOf(env: Env): ColorBits {
  // NO_COLOR is handled already, and Node would warn of a conflict with FORCE_COLOR.
  const bits = WriteStream.prototype.getColorDepth({ ...env, NO_COLOR: undefined, NODE_DISABLE_COLORS: undefined });
  return bits === 24 || bits === 8 ? bits : null;
}

const SWATCH = '■ ';

/** Returns a colour with a square before it, if the terminal can show the colour. */
export function withSwatch(color: string, bits: ColorBits): string {
  return bits !== null && rgbOf(color) !== null ? `${SWATCH}${color}` : color;
}

export function paintSwatch(text: string, color: string, bits: ColorBits): string {
  const rgb = rgbOf(color);
  if (bits === null || rgb === null || !text.startsWith(SWATCH)) return text;
  const code = bits === 24 ? `2;${rgb.join(';')}` : `5;${nearestOf256(rgb)}`;
  return `\u001b[38;${code}m${SWATCH.trim()}\u001b[39m${text.slice(SWATCH.trim().length)}`;
}

type Rgb = readonly [red: number, green: number, blue: number];

function rgbOf(color: string): Rgb | null {
  if (!/^#[\da-f]{6}$/i.test(color)) return null;
  const part = (at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

/** Colours 16 to 231 are a cube of these values; 232 to 255 are greys from 8, in steps of 10. */
const SIDE = [0, 95, 135, 175, 215, 255];

function nearestOf256(rgb: Rgb): number {
  const cube = SIDE.flatMap((red) => SIDE.flatMap((green) => SIDE.map((blue): Rgb => [red, green, blue])));
  const greys = Array.from({ length: 24 }, (_, step): Rgb => [8 + 10 * step, 8 + 10 * step, 8 + 10 * step]);
  const distances = [...cube, ...greys].map((other) =>
    rgb.reduce((sum, value, at) => sum + (value - (other[at] ?? 0)) ** 2, 0),
  );
  return 16 + distances.indexOf(Math.min(...distances));
}
