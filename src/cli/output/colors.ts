// Whether to colour a stream: FORCE_COLOR over NO_COLOR over what the stream is, as Node itself has it.
import picocolors from 'picocolors';
import type { OutputStream } from '../run/io.js';

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
