// Reads the text of an argument that names a file as `@file`, or stdin as `-`.
import { readFileSync } from 'node:fs';
import type { Context } from '../context/context.js';
import { CliError } from '../errors/cli-error.js';
import { readStdin } from './read-stdin.js';

export async function readText(context: Context, source: string): Promise<string> {
  if (source === '-') return readStdin(context);
  const path = source.slice(1);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    throw new CliError('USAGE', `The file ${path} cannot be read (${String(code)}).`, { cause: error });
  }
}
