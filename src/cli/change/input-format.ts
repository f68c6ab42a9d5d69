// The format of --input: by --input-format, else by the end of the file's name, else JSON. And its text, in the encodings of spreadsheets.
import { unusableInput } from './read-input.js';

export const inputFormats = ['json', 'ndjson', 'yaml', 'csv', 'tsv', 'xlsx'] as const;
export type InputFormat = (typeof inputFormats)[number];

const endings: Readonly<Record<string, InputFormat>> = {
  json: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  yaml: 'yaml',
  yml: 'yaml',
  csv: 'csv',
  tsv: 'tsv',
  xlsx: 'xlsx',
};

/** Null when the name does not tell. */
export function formatOfFile(name: string): InputFormat | null {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(endings, ending) ? (endings[ending] ?? null) : null;
}

/** Reads UTF-8, and UTF-16 with its mark or without, as spreadsheets and PowerShell write it. @throws CliError USAGE */
export function decodeInput(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (isArchive(bytes)) {
    throw unusableInput('it is a workbook or a ZIP archive', 'Give --input-format xlsx for a workbook.');
  }
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const utf16 = unmarkedUtf16(bytes);
  if (utf16 !== null) return new TextDecoder(utf16).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unusableInput(
      `line ${lineOfFlaw(bytes)} is not UTF-8`,
      'Save it as UTF-8. In Excel this is "CSV UTF-8 (comma delimited)".',
    );
  }
}

/** Tells UTF-16 by the zero byte beside each ASCII character; null where zeros do not say so. */
function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const zeros = [0, 0];
  const start = bytes.subarray(0, 512);
  for (const [at, byte] of start.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) < start.length / 4 || Math.min(even, odd) > 0) return null;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

/** Whether the bytes begin as those of a workbook do, which is a ZIP archive. */
export function isArchive([first, second, third, fourth]: Uint8Array): boolean {
  return first === 0x50 && second === 0x4b && third === 3 && fourth === 4;
}

/** The first line that is not UTF-8. A line feed is never a part of another character. */
function lineOfFlaw(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let line = 1, from = 0; ; line++) {
    const end = bytes.indexOf(0x0a, from);
    try {
      decoder.decode(bytes.subarray(from, end < 0 ? undefined : end));
    } catch {
      return line;
    }
    if (end < 0) return line;
    from = end + 1;
  }
}
