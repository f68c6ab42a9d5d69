// Runs a command in every place that it is written for, each time in front of a new service, and compares what it prints with its
// golden files: stdout to the letter, and stderr where there is any.
import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { type Place, type Shell, service, shellOf } from './harness.js';

const places: Readonly<Record<string, Place>> = {
  'terminal-80': { terminal: 80, env: { NO_COLOR: '1' } },
  'terminal-160': { terminal: 160, env: { NO_COLOR: '1' } },
  tsv: {},
  csv: { env: { FLEET_OUTPUT: 'csv' } },
  json: { env: { FLEET_OUTPUT: 'json' } },
};

export const placeNames = Object.keys(places);

/** `before` brings the world into the state that the command is to meet. */
export async function expectGolden(
  name: string,
  place: string,
  words: readonly string[],
  { code = 0, input, before }: { code?: number; input?: string; before?: (fleet: Shell) => Promise<unknown> } = {},
): Promise<void> {
  const fleet = shellOf('demo', service().fetch);
  await before?.(fleet);
  const outcome = await fleet(words, { ...places[place], ...(input === undefined ? {} : { input }) });
  expect(outcome.code, outcome.stderr).toBe(code);
  const isQuiet = (file: string, text: string) => text === '' && !existsSync(new URL(file, import.meta.url));
  const stdoutFile = `golden/${name}.${place}.txt`;
  if (!isQuiet(stdoutFile, outcome.stdout)) await expect(outcome.stdout).toMatchFileSnapshot(stdoutFile);
  // A progress line is redrawn in place.
  const stderr = outcome.stderr.replaceAll('\r', '\\r').replaceAll('\u001b', '\\e');
  const stderrFile = `golden/${name}.${place}.stderr.txt`;
  if (!isQuiet(stderrFile, stderr)) await expect(stderr).toMatchFileSnapshot(stderrFile);
}

/** The rows that a command prints as JSON. */
export async function jsonOf(fleet: Shell, ...words: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await fleet([...words, '-o', 'json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}
