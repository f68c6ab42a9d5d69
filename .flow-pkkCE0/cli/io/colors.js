import { WriteStream } from "node:tty";
import picocolors from "picocolors";
function wantsColor(stream, env) {
  const forced = env.FORCE_COLOR;
  if (forced !== void 0) return forced !== "0" && forced !== "false";
  if (env.NO_COLOR) return false;
  return stream.isTTY === true && env.TERM !== "dumb";
}
function colorsFor(stream, env) {
  return picocolors.createColors(wantsColor(stream, env));
}
function colorBitsOf(env) {
  const bits = WriteStream.prototype.getColorDepth({ ...env, NO_COLOR: void 0, NODE_DISABLE_COLORS: void 0 });
  return bits === 24 || bits === 8 ? bits : null;
}
const SWATCH = "\u25A0 ";
function withSwatch(color, bits) {
  return bits !== null && rgbOf(color) !== null ? `${SWATCH}${color}` : color;
}
function paintSwatch(text, color, bits) {
  const rgb = rgbOf(color);
  if (bits === null || rgb === null || !text.startsWith(SWATCH)) return text;
  const code = bits === 24 ? `2;${rgb.join(";")}` : `5;${nearestOf256(rgb)}`;
  return `\x1B[38;${code}m${SWATCH.trim()}\x1B[39m${text.slice(SWATCH.trim().length)}`;
}
function rgbOf(color) {
  if (!/^#[\da-f]{6}$/i.test(color)) return null;
  const part = (at) => Number.parseInt(color.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}
const SIDE = [0, 95, 135, 175, 215, 255];
function nearestOf256(rgb) {
  const cube = SIDE.flatMap((red) => SIDE.flatMap((green) => SIDE.map((blue) => [red, green, blue])));
  const greys = Array.from({ length: 24 }, (_, step) => [8 + 10 * step, 8 + 10 * step, 8 + 10 * step]);
  const distances = [...cube, ...greys].map(
    (other) => rgb.reduce((sum, value, at) => sum + (value - (other[at] ?? 0)) ** 2, 0)
  );
  return 16 + distances.indexOf(Math.min(...distances));
}
export {
  colorBitsOf,
  colorsFor,
  paintSwatch,
  withSwatch
};
