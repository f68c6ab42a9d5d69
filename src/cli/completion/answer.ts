// `fleet __complete -- <words…>`: what the scripts of the shells ask on every Tab. One candidate a line, with what it is behind a tab
// character; the last line is `:files` where names of files fit too, else `:`. Never an error: a Tab must not print one.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { configFolder } from '../../core/config-folder.js';
import { configPath, parseConfig } from '../config/config-file.js';
import { plainText } from '../output/plain-text.js';
import { type Io, write } from '../run/io.js';
import { type Candidate, type Completion, complete } from './complete.js';

/** `load` hangs its verbs on a noun. */
export async function answer(
  io: Io,
  program: Command,
  words: readonly string[],
  load: (noun: Command) => Promise<void>,
): Promise<void> {
  const found = await complete(program, words, {
    load,
    profiles: async () => profilesIn(io),
    fieldsOf: async (path, command) => (await import('./rows-of-command.js')).rowsOfCommand(path, command),
  }).catch((): Completion => ({ candidates: [], files: false }));
  const lines = found.candidates.map(({ value, about }) => `${plainText(value)}\t${plainText(firstSentence(about))}\n`);
  await write(io.stdout, `${lines.join('')}:${found.files ? 'files' : ''}\n`);
}

/** Without the care of a command: what is damaged here is the next command's to tell. */
function profilesIn({ env }: Io): readonly Candidate[] {
  const config = parseConfig(readFileSync(configPath(configFolder(env)), 'utf8'));
  return [...(config?.profiles ?? [])].map(([value, { username, baseUrl }]) => ({
    value,
    about: [username, baseUrl].filter((text) => text !== null).join(' at '),
  }));
}

/** Menus have room for a line. */
function firstSentence(text: string): string {
  return (
    text
      .split('\n')[0]
      ?.replace(/[;(].*$/, '')
      .trim() ?? ''
  );
}
