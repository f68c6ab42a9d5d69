// `fleet __complete -- <words…>`, called on every Tab. It never fails: a Tab prints no error.
// Prints one candidate per line with a tab and its description, then `:files` or `:`.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { configFolder } from '../../core/config-folder.js';
import { configPath, deserialize, parseConfig } from '../config/config-file.js';
import type { Context } from '../context/context.js';
import { type Io, write } from '../io/io.js';
import { plainText } from '../io/plain-text.js';
import type { Candidate } from './candidate.js';
import { type Completion, complete, type TypedFlags } from './complete.js';

/** `load` adds the verbs of a noun. `contextOf` returns the context for these global flags. */
export async function answer(
  io: Io,
  program: Command,
  words: readonly string[],
  load: (noun: Command) => Promise<void>,
  contextOf: (flags: TypedFlags) => Context,
): Promise<void> {
  const found = await complete(program, words, {
    load,
    profiles: async () => profilesIn(io),
    names: async (kind, flags) => (await import('./names.js')).namesOf(contextOf(flags), kind),
    fieldsOf: async (path, command) => (await import('./rows-of-command.js')).rowsOfCommand(path, command),
  }).catch((): Completion => ({ candidates: [], files: false }));
  const lines = found.candidates.map(({ value, about }) => `${plainText(value)}\t${plainText(firstSentence(about))}\n`);
  await write(io.stdout, `${lines.join('')}:${found.files ? 'files' : ''}\n`);
}

/** Ignores a corrupt configuration: the next command reports it. */
function profilesIn({ env }: Io): readonly Candidate[] {
  const { profiles } = parseConfig(deserialize(readFileSync(configPath(configFolder(env)), 'utf8'))) ?? {};
  return [...(profiles ?? [])].map(([value, { username, baseUrl }]) => ({
    value,
    about: [username, baseUrl].filter((text) => text !== null).join(' at '),
  }));
}

/** Returns the first line up to `;` or `(`: a completion menu has one line per candidate. */
function firstSentence(text: string): string {
  return (
    text
      .split('\n')[0]
      ?.replace(/[;(].*$/, '')
      .trim() ?? ''
  );
}
