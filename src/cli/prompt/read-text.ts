// Reads the text of an argument that names a file as `@file`, or stdin as `-`.
import { readFileSync } from 'node:fs';
import type { Run } from '../context/context.js';
import { refusedFile } from '../errors/unusable.js';
import { readStdinBytes } from './read-stdin.js';

export async function readInputText(run: Run, source: string): Promise<string> {
  return (await readBytes(run, source)).toString('utf8');
}

export async function readBytes(run: Run, source: string): Promise<Buffer> {
  if (source === '-') return readStdinBytes(run);
  const path = source.slice(1);
  try {
    return readFileSync(path);
  } catch (error) {
    throw refusedFile(`file ${path}`, 'read', error);
  }
}
