// Decides whether to colour a stream, by the rules of Node: FORCE_COLOR first, then NO_COLOR, then whether it is a terminal; and draws
// colours of the service.
import { WriteStream } from 'node:tty';
import picocolors from 'picocolors';
import type { OutputStream } from './io.js';

export type Colors = ReturnType<typeof picocolors.createColors>;

function wantsColor(stream: OutputStream, env: Readonly<Record<string, string | undefined>>): boolean {
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env.NO_COLOR) return false;
  return stream.isTTY === true && env.TERM !== 'dumb';
}

export function colorsFor(stream: OutputStream, env: Readonly<Record<string, string | undefined>>): Colors {
  return picocolors.createColors(wantsColor(stream, env));
}

/** How many bits the terminal has for a colour; null for less than 256 colours, of which none may be near the one that is meant. */
export type ColorBits = 8 | 24 | null;

export function colorBitsOf(env: Readonly<Record<string, string | undefined>>): ColorBits {
  // Node reads only the environment here. It warns where that wants and forbids colours at once, which is decided already.
  const bits = WriteStream.prototype.getColorDepth({ ...env, NO_COLOR: undefined, NODE_DISABLE_COLORS: undefined });
  return bits === 24 || bits === 8 ? bits : null;
}

const SWATCH = '■ ';

/** A colour with a square before it, which `paintSwatch` colours; only the colour where a terminal cannot show it. */
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

/** Of `#1F77B4`; null for words, which each program understands in its own way. */
function rgbOf(color: string): Rgb | null {
  if (!/^#[\da-f]{6}$/i.test(color)) return null;
  const part = (at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

/** The colours 16 to 231 are a cube with these values on each side; 232 to 255 are greys from 8 on, in steps of 10. */
const SIDE = [0, 95, 135, 175, 215, 255];

function nearestOf256(rgb: Rgb): number {
  const cube = SIDE.flatMap((red) => SIDE.flatMap((green) => SIDE.map((blue): Rgb => [red, green, blue])));
  const greys = Array.from({ length: 24 }, (_, step): Rgb => [8 + 10 * step, 8 + 10 * step, 8 + 10 * step]);
  const distances = [...cube, ...greys].map((other) =>
    rgb.reduce((sum, value, at) => sum + (value - (other[at] ?? 0)) ** 2, 0),
  );
  return 16 + distances.indexOf(Math.min(...distances));
}
