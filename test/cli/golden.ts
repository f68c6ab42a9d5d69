// Compares what a command prints with its golden file, each time in front of a new service. A golden file has a section per terminal or
// format; places that print the same share a section.
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

/** Which columns a terminal has room for, what they say, and the header of tsv: what a view decides. */
const ofView: readonly PlaceName[] = ['terminal 80', 'terminal 160', 'tsv'];
const allPlaces: readonly PlaceName[] = ['terminal 80', 'terminal 160', 'tsv', 'csv', 'json', 'ndjson'];

interface Run {
  readonly code?: number;
  readonly input?: string;
  /** Brings the service into the state that the command meets. */
  readonly before?: (fleet: Shell) => Promise<unknown>;
}

/** For a command whose shape of output `expectShape` proves with another command. */
export function expectGolden(name: string, words: readonly string[], run: Run = {}): Promise<void> {
  // The text of an error is the same everywhere but in JSON.
  const isError = run.code !== undefined && run.code !== 0 && run.code !== DIFFERENCES;
  return compare(name, isError ? ['terminal 80'] : ofView, words, run);
}

/** For one command of each shape of output: a list, a record, a deletion, many changes, an error. */
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

/** The line that a change prints about its entry in the journal. */
const journalLine = /^Done as #\d+(; `fleet undo \d+` takes it back)?\.\n$/;

/** The rows that a command prints as JSON. */
export async function jsonOf(fleet: Shell, ...words: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await fleet([...words, '-o', 'json']);
  expect({ code, stderr: stderr.replace(journalLine, '') }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}
