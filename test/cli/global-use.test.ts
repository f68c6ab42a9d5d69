// Every command refuses unused global flags, and completion offers only the others.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CommandPage, readTree } from '../../codegen/cli-docs/tree.js';
import { service, shellOf } from './harness.js';

const tree = await readTree();
const pages = tree.commands.flatMap((noun) => [noun, ...noun.commands]);
/** Nouns with verbs are not run themselves. */
const runs = ({ name, commands }: CommandPage) => commands.length === 0 || name === 'fleet history';

const values: Readonly<Record<string, string>> = {
  '--timeout': '30s',
  '--limit': '1',
  '--output': 'csv',
  '--filter': 'name=x',
  '--base-url': 'https://fleet.test',
};
const flags = tree.flags.flatMap(({ written }) => {
  const [long = ''] = /--[a-z-]+/.exec(written) ?? [];
  return long === '--version' || long === '--help'
    ? []
    : [written.includes('<') ? [long, values[long] ?? 'x'] : [long]];
});

const argumentsOf = ({ arguments: all }: CommandPage) =>
  all.filter(({ written }) => written.startsWith('<')).map(() => '7');

describe('of each command', () => {
  test.each(pages.filter(runs).map((page) => [page.name, page] as const))('%s', async (_name, page) => {
    const { fetch, requests } = service({ vehicles: 1 });
    const fleet = shellOf('demo', fetch);
    const words = page.name.split(' ').slice(1);
    const offered = (await fleet(['__complete', '--', ...words, '--'])).stdout
      .split('\n')
      .map((line) => line.split('\t')[0]);
    for (const [flag = '', ...value] of flags) {
      if (offered.includes(flag)) continue;
      const { code, stderr } = await fleet([...words, ...argumentsOf(page), flag, ...value]);
      expect({ code, stderr }, flag).toEqual({
        code: 2,
        stderr: expect.stringContaining(`error: ${flag} has no effect on \`${page.name}\`.`),
      });
    }
    expect(requests).toEqual([]);
  });
});

describe('changes of a file', () => {
  test.each([
    ['vehicles apply', 'name,licensePlate\nVan 01,AAA 1\nVan 02,AAA 2\n'],
    ['people apply', 'firstName,lastName\nAnna,New\n'],
    ['groups apply', 'name\nNight shift\n'],
    ['geofences import', 'name,color\nDepot Tartu,#00FF00\n'],
  ])('%s refuses to choose from it', async (command, text) => {
    const { fetch, requests } = service();
    const fleet = shellOf('demo', fetch);
    const file = join(fleet.folder, 'file.csv');
    writeFileSync(file, text);
    for (const flag of [
      ['--filter', 'name=Van 02'],
      ['--limit', '1'],
      ['--sort', 'name'],
      ['--fields', 'name'],
    ]) {
      const { code, stderr } = await fleet([...command.split(' '), file, ...flag, '--yes']);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`${flag[0]} has no effect on`) });
      expect(stderr).toContain('give a file with fewer');
    }
    expect(requests).toEqual([]);
  });
});

test('errors are JSON where nothing else is', async () => {
  const fleet = shellOf('demo', service().fetch);
  const { stderr } = await fleet(['profiles', 'use', 'nobody', '-o', 'json']);
  expect(JSON.parse(stderr)).toMatchObject({ error: { message: expect.stringContaining('nobody') } });
});

test('lists take every flag', async () => {
  const fleet = shellOf('demo', service().fetch);
  const { stdout } = await fleet(['__complete', '--', 'vehicles', 'list', '--']);
  for (const [flag] of flags) expect(stdout).toContain(`${flag}\t`);
});
