// Determines the format of a file (--input-format, extension, else JSON), and decodes its text.
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

/** Returns the format of a file name; null for an unknown extension. */
export function formatOfFile(name: string): InputFormat | null {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(endings, ending) ? (endings[ending] ?? null) : null;
}

/** The text of a file, with a note about an assumed encoding. */
interface DecodedText {
  readonly text: string;
  readonly note: string | null;
}

/**
 * Decodes UTF-8, UTF-16 with or without a byte order mark, and XML in its declared encoding.
 * Other text is decoded as Windows-1252, which Excel writes as plain CSV in Western Europe.
 * @throws CliError USAGE
 */
export function decodeInput(bytes: Uint8Array): DecodedText {
  if (isArchive(bytes)) {
    throw unusableInput('it is a workbook or a ZIP archive', 'Give --input-format xlsx for a workbook.');
  }
  const encoding = utf16Of(bytes) ?? declaredEncoding(bytes);
  if (encoding !== null) {
    const text = encoding === 'windows-1252' ? decodeWindows1252(bytes) : new TextDecoder(encoding).decode(bytes);
    return { text, note: null };
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), note: null };
  } catch {
    const line = `line ${lineOfFlaw(bytes)} is not UTF-8`;
    const text = decodeWindows1252(bytes);
    if (isUsualText(text)) {
      return { text, note: `The file was read as Windows-1252: ${line}. If letters are wrong, save it as UTF-8.` };
    }
    throw unusableInput(line, 'Save it as UTF-8. In Excel this is "CSV UTF-8 (comma delimited)".');
  }
}

function utf16Of(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return unmarkedUtf16(bytes);
}

/** Returns the encoding of an XML declaration, unless it is UTF-8; throws for an unknown one. */
function declaredEncoding(bytes: Uint8Array): string | null {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const label = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'>]*)["']/.exec(start)?.[1];
  if (label === undefined) return null;
  try {
    const { encoding } = new TextDecoder(label);
    return /^utf-/.test(encoding) ? null : encoding;
  } catch {
    throw unusableInput(`it declares the encoding "${label}", which is unknown`, 'Save it as UTF-8.');
  }
}

/** Windows-1252 at 0x80 to 0x9F; unassigned code points are control characters. */
const above7f = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Decodes Windows-1252 without TextDecoder, which decodes it as Latin-1 on Node 20. */
function decodeWindows1252(bytes: Uint8Array): string {
  const latin1 = Buffer.from(bytes).toString('latin1');
  return latin1.replace(/[\u0080-\u009f]/g, (character) => above7f[character.charCodeAt(0) - 0x80] ?? character);
}

/**
 * Returns false for text that was probably written in another encoding: control characters, or a
 * symbol or accented capital inside a word. Eth and thorn are common letters of Baltic and Cyrillic
 * encodings when read as Windows-1252.
 */
function isUsualText(text: string): boolean {
  return !/[^\P{Cc}\t\r\n]|[ÐðÞþ]|\p{L}[^\p{ASCII}\p{L}\u00a0´‘’–—·]\p{L}|\p{Ll}[^\P{Lu}A-Z]|\p{L}[^\P{Lu}A-Z]\p{Ll}/u.test(
    text,
  );
}

function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const zeros = [0, 0];
  const start = bytes.subarray(0, 512);
  for (const [at, byte] of start.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [firstByteZeros = 0, secondByteZeros = 0] = zeros;
  if (Math.max(firstByteZeros, secondByteZeros) < start.length / 4 || Math.min(firstByteZeros, secondByteZeros) > 0)
    return null;
  return secondByteZeros > firstByteZeros ? 'utf-16le' : 'utf-16be';
}

export function isArchive([first, second, third, fourth]: Uint8Array): boolean {
  return first === 0x50 && second === 0x4b && third === 3 && fourth === 4;
}

/** Returns the first line that is not UTF-8. A line feed is never part of another character. */
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
