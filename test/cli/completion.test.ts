// Completion of each word, and suggestions for misspelled words.
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CommandPage, readTree } from '../../codegen/cli-docs/tree.js';
import { fieldCandidates } from '../../src/cli/completion/complete.js';
import { formatNames } from '../../src/cli/output/formats.js';
import { readField } from '../../src/cli/shape/fields.js';
import { operations } from '../../src/generated/operation-table.js';
import { type Shell, service, shell } from './harness.js';

const tree = await readTree();
const verbs = tree.commands.flatMap((noun) => (noun.commands.length > 0 ? noun.commands : [noun]));
const wordsOf = ({ name }: CommandPage) => name.split(' ').slice(1);

/** Returns the offered values, and `files: true` when files are offered. */
async function offered(words: readonly string[], fleet: Shell = shell(service().fetch, {})) {
  const { code, stdout, stderr } = await fleet(['__complete', '--', ...words]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.trimEnd().split('\n');
  return { values: lines.slice(0, -1).map((line) => line.split('\t')[0] ?? ''), files: lines.at(-1) === ':files' };
}
const valuesOf = async (...words: string[]) => (await offered(words)).values;

describe('commands', () => {
  test('all nouns with their descriptions, and nothing hidden', async () => {
    const { stdout } = await shell(service().fetch, {})(['__complete', '--', '']);
    const nouns = tree.commands.map(({ name, summary }) => ({ name: name.replace('fleet ', ''), summary }));
    expect(await valuesOf('')).toEqual([...nouns.map(({ name }) => name), 'help']);
    expect(stdout).toContain('logout\tdelete the saved session\n');
    expect(stdout).not.toContain('__');
  });

  test('the verbs of every noun', async () => {
    for (const noun of tree.commands.filter(({ commands }) => commands.length > 0)) {
      const names = noun.commands.map((verb) => wordsOf(verb)[1]);
      expect(await valuesOf(...wordsOf(noun), '')).toEqual(names);
    }
  });

  test('those that begin with the typed text; none after an unknown command', async () => {
    expect(await valuesOf('log')).toEqual(['login', 'logout']);
    expect(await valuesOf('help', 'log')).toEqual(['login', 'logout']);
    expect(await valuesOf('nope', '')).toEqual([]);
    expect(await valuesOf('vehicles', 'nope', '')).toEqual([]);
    expect(await valuesOf('vehicles', 'get', '')).toEqual([]);
  });
});

describe('flags', () => {
  test('of every command: its own and the global ones that each uses', async () => {
    for (const verb of verbs) {
      const values = await valuesOf(...wordsOf(verb), '-');
      const long = verb.flags.map(({ written }) => /--[a-z-]+/.exec(written)?.[0]);
      expect(values, verb.name).toEqual(expect.arrayContaining([...long, '--quiet', '--verbose', '--help']));
      expect(values).not.toContain('--version');
    }
  });

  test('that are used already are offered again only if they may be repeated', async () => {
    const words = ['vehicles', 'list', '--active', '--filter', 'a=b', '-o', 'json', '--'];
    const values = await valuesOf(...words);
    expect(values).not.toContain('--active');
    expect(values).not.toContain('--output');
    expect(values).toContain('--filter');
    expect(await valuesOf('vehicles', 'list', '--', '--')).toEqual([]);
  });
});

describe('values', () => {
  test('formats, shells, profiles and files', async () => {
    expect(await valuesOf('-o', '')).toEqual([...formatNames]);
    expect(await valuesOf('vehicles', 'list', '--output', 'j')).toEqual(['json']);
    expect(await valuesOf('vehicles', 'list', '--output=j')).toEqual(['--output=json']);
    expect(await valuesOf('completion', '')).toEqual(['bash', 'zsh', 'fish', 'powershell']);
    expect(await offered(['groups', 'create', '--input', ''])).toEqual({ values: [], files: true });
    expect(await offered(['groups', 'create', '--input='])).toEqual({ values: [], files: true });
    expect(await offered(['groups', 'create', '--name', ''])).toEqual({ values: [], files: false });
  });

  test('profiles come from the config folder, which a Tab does not change', async () => {
    const fleet = shell(service().fetch, {});
    const file = join(fleet.folder, 'config.json');
    writeFileSync(file, JSON.stringify({ profiles: { north: { username: 'me' }, south: {}, broken: 7 } }));
    chmodSync(file, 0o644);
    for (const words of [
      ['--profile', ''],
      ['profiles', 'use', ''],
      ['profiles', 'remove', ''],
    ]) {
      expect((await offered(words, fleet)).values).toEqual(['north', 'south']);
    }
    writeFileSync(file, 'damaged');
    expect((await offered(['--profile', ''], fleet)).values).toEqual([]);
    expect(readdirSync(fleet.folder)).toEqual(['config.json']);
  });

  test('the last word may be marked, for shells that drop an empty one', async () => {
    const { stdout } = await shell(service().fetch, {})(['__complete', '--marked', '--', 'completion', '+z']);
    expect(stdout).toBe('zsh\t\n:\n');
  });
});

describe('fields', () => {
  const list = ['vehicles', 'list'];

  test('of the record, one step at a time, each once', async () => {
    expect(await valuesOf(...list, '--fields', 'lic')).toEqual(['licensePlate']);
    expect(await valuesOf(...list, '--fields', 'lastD')).toEqual(['lastData.']);
    expect(await valuesOf(...list, '--fields', 'id,lastData.gps.sp')).toEqual(['id,lastData.gps.speed']);
    expect(await valuesOf(...list, '--fields', 'name,na')).toEqual([]);
    expect(await valuesOf(...list, '--fields', 'id.')).toEqual([]);
    expect(await valuesOf(...list, '--sort', '-lic')).toEqual(['-licensePlate']);
    expect(await valuesOf(...list, '--sort', 'name,-lic')).toEqual(['name,-licensePlate']);
    expect(await valuesOf(...list, '--filter', 'lic')).toEqual(['licensePlate=']);
    expect(await valuesOf(...list, '--filter=vehicleType.na')).toEqual(['--filter=vehicleType.name=']);
  });

  test('every offered name is valid, three steps deep', () => {
    const types = new Set(Object.values(operations).flatMap(({ returns }) => (returns.leaf ? [] : [returns.type])));
    for (const type of types) {
      let level = [''];
      for (let depth = 0; depth < 3; depth++) {
        const values = level.flatMap((typed) => fieldCandidates('--fields', typed, { type }).map(({ value }) => value));
        for (const value of values.filter((name) => !name.endsWith('.'))) {
          expect(readField(value, { type }, '--fields')).toEqual([value]);
        }
        level = values.filter((name) => name.endsWith('.'));
      }
    }
  });

  /** Commands that print rows and need no argument. */
  const readers = verbs.filter(
    ({ arguments: commandArguments, flags }) =>
      !commandArguments.some(({ written }) => written.startsWith('<')) &&
      !flags.some(({ written }) => /--(dry-run|from)/.test(written)),
  );

  test.each(readers.map((verb) => [verb.name, verb] as const))(
    'what is offered for %s, it takes',
    async (_name, verb) => {
      const words = wordsOf(verb);
      const values = (await valuesOf(...words, '--fields', '')).filter((value) => !value.endsWith('.'));
      for (const value of [values[0], values.at(-1)]) {
        if (value === undefined) continue;
        const { stderr } = await shell(service().fetch, {})([...words, '--fields', value, '--demo', '-o', 'tsv']);
        expect(stderr).not.toContain('--fields');
      }
    },
  );
});

test('every script is printed, with installation notes for people', async () => {
  for (const name of ['bash', 'zsh', 'fish', 'powershell']) {
    const fleet = shell(service().fetch, {});
    const piped = await fleet(['completion', name]);
    expect(piped).toMatchObject({ code: 0, stderr: '' });
    expect(piped.stdout).toContain('__complete');
    expect((await fleet(['completion', name], { terminal: 80 })).stderr).toContain(`fleet completion ${name}`);
  }
  expect((await shell(service().fetch, {})(['completion', 'csh'])).code).toBe(2);
});

test('the script for PowerShell quotes the --, which PowerShell would take for itself before the script of npm', async () => {
  const { stdout } = await shell(service().fetch, {})(['completion', 'powershell']);
  expect(stdout).toContain("fleet __complete --marked '--' @words $marked");
});

describe('did you mean', () => {
  const hintFor = async (words: readonly string[]) => {
    const { code, stdout, stderr } = await shell(service().fetch, {})([...words, '-o', 'json']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    return JSON.parse(stderr).error.hint;
  };

  test.each(tree.commands.map((noun) => wordsOf(noun)))('%s', async (noun) => {
    const typo = `${noun.slice(0, -1)}x${noun.slice(-1)}`;
    expect(await hintFor([typo])).toMatch(new RegExp(`\\b${noun}\\b`));
    expect(await hintFor([typo, '--help'])).toMatch(new RegExp(`\\b${noun}\\b`));
  });

  test('for every verb', async () => {
    for (const [noun = '', verb] of verbs.map(wordsOf)) {
      if (verb === undefined) continue;
      const typo = `${verb.slice(0, -1)}x${verb.slice(-1)}`;
      expect(await hintFor([noun, typo]), `${noun} ${typo}`).toContain(verb);
      expect(await hintFor([noun, typo, '--help']), `${noun} ${typo} --help`).toContain(verb);
    }
  });

  test('for every flag', async () => {
    for (const verb of verbs) {
      // Global flags are tried with one command that takes them all.
      const flags = verb.name === 'fleet vehicles list' ? [...verb.flags, ...tree.flags] : verb.flags;
      for (const { written } of flags) {
        const flag = /--[a-z-]+/.exec(written)?.[0] ?? '';
        if (flag === '--version') continue;
        const typo = `${flag.slice(0, -1)}x${flag.slice(-1)}`;
        expect(await hintFor([...wordsOf(verb), typo]), `${verb.name} ${typo}`).toContain(flag);
      }
    }
  });
});
