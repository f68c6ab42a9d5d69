// The streets of `--base-map`: a local file, or an https address that the browser loads.

import { CliError, refusal, refusedFile } from 'fleet-telematics/kit/command';
import type { ByteRanges } from '../archive/byte-ranges.js';
import type { MapStreets } from '../shapes.js';
import { problemOfHost } from './tiles.js';

export interface BaseMapFlags {
  readonly baseMap?: string;
  readonly tiles?: string;
}

export interface BaseMap {
  readonly name: string;
  readonly streets: MapStreets;
  readonly file: ByteRanges | null;
}

/**
 * Reads --base-map; null without it.
 * @throws CliError USAGE when the map cannot draw the file or address
 */
export async function baseMapOf({ baseMap, tiles }: BaseMapFlags): Promise<BaseMap | null> {
  if (baseMap === undefined) return null;
  if (tiles !== undefined) {
    throw refusal('--base-map and --tiles cannot be combined.', { hint: 'Leave one of them out.' });
  }
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(baseMap)) {
    const problem = problemOfAddress(baseMap);
    if (problem === null) return { name: baseMap, streets: { url: baseMap }, file: null };
    throw refusal(`--base-map ${problem}`, { hint: 'Write it as https://tiles.example.com/region.pmtiles.' });
  }
  const { openStreets } = await import('../archive/street-archive.js');
  const { UnusableArchiveError } = await import('../archive/read-archive.js');
  try {
    return { name: baseMap, streets: { url: null }, file: await openStreets(baseMap) };
  } catch (error) {
    if (!(error instanceof UnusableArchiveError)) {
      const { message } = refusedFile(`file ${baseMap} of --base-map`, 'read', error);
      throw refusal(message);
    }
    throw unusableArchive(baseMap, error.message, 'sent');
  }
}

export function unusableArchive(file: string, problem: string, undone: 'sent' | 'written'): CliError {
  return new CliError('USAGE', `The file ${file} of --base-map ${problem}.`, {
    undone,
    hint: "The map draws PMTiles archives of Protomaps' basemap; docs/map.md in the repository lists sources of them.",
  });
}

function problemOfAddress(address: string): string | null {
  return URL.canParse(address) ? problemOfHost(new URL(address)) : 'is not an address.';
}
