// Decides whether to colour a stream, by the rules of Node: FORCE_COLOR first, then NO_COLOR, then whether it is a terminal.
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
