// Compares the output of a command with its golden file. Places with equal output share a section.
import { expect } from 'vitest';
import { DIFFERENCES } from '../../src/cli/errors/exit-codes.js';
import { type Place, type Shell, service, shellOf } from './harness.js';

const places = {
  'terminal 80': { terminal: 80, env: { NO_COLOR: '1' } },
  'terminal 160': { terminal: 160, env: { NO_COLOR: '1' } },
  tsv: {},
  csv: { env: { FLEET_OUTPUT: 'csv' } },
  json: { env: { FLEET_OUTPUT: 'json' } },
  ndjson: { env: { FLEET_OUTPUT: 'ndjson' } },
} satisfies Readonly<Record<string, Place>>;

type PlaceName = keyof typeof places;

/** Places that show the choices of a view: columns by width, and the tsv header. */
const ofView: readonly PlaceName[] = ['terminal 80', 'terminal 160', 'tsv'];
const allPlaces: readonly PlaceName[] = ['terminal 80', 'terminal 160', 'tsv', 'csv', 'json', 'ndjson'];

interface Run {
  readonly code?: number;
  readonly input?: string;
  /** Prepares the state of the service. */
  readonly before?: (fleet: Shell) => Promise<unknown>;
}

/** For commands whose format is covered by `expectShape` of another command. */
export function expectGolden(name: string, words: readonly string[], run: Run = {}): Promise<void> {
  // The text of an error is equal in all formats but JSON.
  const isError = run.code !== undefined && run.code !== 0 && run.code !== DIFFERENCES;
  return compare(name, isError ? ['terminal 80'] : ofView, words, run);
}

/** For one command per kind of output: a list, a record, a deletion, many changes, an error. */
export function expectShape(name: string, words: readonly string[], run: Run = {}): Promise<void> {
  return compare(name, allPlaces, words, run);
}

async function compare(
  name: string,
  placeNames: readonly PlaceName[],
  words: readonly string[],
  { code = 0, input, before }: Run,
): Promise<void> {
  const sections = new Map<string, PlaceName[]>();
  for (const place of placeNames) {
    const fleet = shellOf('demo', service().fetch);
    await before?.(fleet);
    const outcome = await fleet(words, { ...places[place], ...(input === undefined ? {} : { input }) });
    expect(outcome.code, outcome.stderr).toBe(code);
    // A progress line is redrawn in place.
    const stderr = outcome.stderr.replaceAll('\r', '\\r').replaceAll('\u001b', '\\e');
    const text = `${outcome.stdout}${stderr === '' ? '' : `--- stderr\n${stderr}`}`;
    sections.set(text, [...(sections.get(text) ?? []), place]);
  }
  const file = [...sections].map(([text, names]) => `=== ${names.join(', ')}\n${text}`).join('');
  await expect(file).toMatchFileSnapshot(`golden/${name}.txt`);
}

/** The line about the journal entry of a change. */
const journalLine = /^Done as #\d+(; `fleet undo \d+` takes it back)?\.\n$/;

/** Returns the JSON output of a command. */
export async function jsonOf(fleet: Shell, ...words: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await fleet([...words, '-o', 'json']);
  expect({ code, stderr: stderr.replace(journalLine, '') }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}
