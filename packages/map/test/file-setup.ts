// Reads the setup of a map file.
import { inflateRawSync } from 'node:zlib';
import { unpackFile } from '../src/page/packed-file.js';
import type { FileSetup } from '../src/shapes.js';

export function fileSetupIn(html: string): FileSetup {
  const text: unknown = JSON.parse(
    /<script[^>]*type="application\/json"[^>]*>(.*?)<\/script>/s.exec(html)?.[1] ?? '""',
  );
  return unpackFile(inflateRawSync(Buffer.from(String(text), 'base64')));
}
