// Encodes a map file: JSON, then the tracks as columns. The page gets it compressed.
import type { FileSetup, MapDay } from '../shapes.js';
import { ByteReader, ByteWriter } from './bytes.js';
import { decodeTracks, encodeTracks, headOf, type TrackHead } from './track-codec.js';

type PackedDay = Omit<MapDay, 'track'> & { readonly track: TrackHead };
type PackedSetup = Omit<FileSetup, 'days'> & { readonly days: readonly PackedDay[] };

/** Number of leading lengths: JSON and four columns. */
const PARTS = 5;
const LENGTH_BYTES = 6;

export function packFile(setup: FileSetup): Uint8Array {
  const packed: PackedSetup = { ...setup, days: setup.days.map((day) => ({ ...day, track: headOf(day.track) })) };
  const columns = encodeTracks(setup.days.map(({ track }) => track));
  const parts = [new TextEncoder().encode(JSON.stringify(packed)), ...columns];
  const lengths = parts.map(({ length }) => lengthBytes(length));
  return joined([...lengths, ...parts]);
}

export function unpackFile(bytes: Uint8Array): FileSetup {
  const head = (index: number) => bytes.subarray(index * LENGTH_BYTES, (index + 1) * LENGTH_BYTES);
  let begin = PARTS * LENGTH_BYTES;
  const take = (index: number) => {
    const length = new ByteReader(head(index)).next();
    begin += length;
    return bytes.subarray(begin - length, begin);
  };
  const packed: PackedSetup = JSON.parse(new TextDecoder().decode(take(0)));
  const heads = packed.days.map(({ track }) => track);
  const tracks = decodeTracks(heads, [take(1), take(2), take(3), take(4)]);
  const nothing = { start: packed.from, times: [], latitudes: [], longitudes: [], speeds: [], breaks: [] };
  return { ...packed, days: packed.days.map((day, index) => ({ ...day, track: tracks[index] ?? nothing })) };
}

function lengthBytes(length: number): Uint8Array {
  const writer = new ByteWriter();
  writer.add(length);
  return joined([writer.bytes, new Uint8Array(LENGTH_BYTES - writer.bytes.length)]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let begin = 0;
  for (const part of parts) {
    whole.set(part, begin);
    begin += part.length;
  }
  return whole;
}
