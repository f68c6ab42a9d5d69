// Help texts: their beginning, their groups, and their links to the rest.
import { describe, expect, test } from 'vitest';
import { readTree } from '../../codegen/cli-docs/tree.js';
import { groupOf, nounGroups } from '../../src/cli/help/noun-groups.js';
import { helpTopics } from '../../src/cli/help/topic-names.js';
import { registry } from '../../src/cli/run/registry.js';
import { operations } from '../../src/generated/operation-table.js';
import { service, shell } from './harness.js';

const help = async (...words: string[]) => {
  const { code, stdout, stderr } = await shell(service().fetch, {})(words, { terminal: 80 });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};
const tree = await readTree();
const namesOperation = new RegExp(
  `\\b(${Object.values(operations)
    .map(({ name }) => name)
    .join('|')})\\b`,
);

describe.each([
  ['fleet', ['--help']],
  ['noun', ['groups', '--help']],
  ['verb', ['groups', 'list', '--help']],
  ['options', ['help', 'options']],
  ['environment', ['help', 'environment']],
  ['exit-codes', ['help', 'exit-codes']],
] as const)('the help of %s', (name, words) => {
  test('is this', async () => {
    await expect(await help(...words)).toMatchFileSnapshot(`golden/help.${name}.txt`);
  });
});

test('a sentence that goes over several lines of the source is wrapped as one', async () => {
  expect(await help('trips', 'list', '--help', '--all')).toContain(
    'A table is grouped by vehicle, in the order of their names.',
  );
});

test('every noun stands in exactly one group', () => {
  const grouped = Object.values(nounGroups).flat();
  expect(new Set(grouped).size).toBe(grouped.length);
  for (const noun of Object.keys(registry)) expect(groupOf(noun), `${noun}: add it to noun-groups.ts`).not.toBeNull();
});

test('`fleet --help` names every noun once, below the headings of the groups', async () => {
  const text = await help('--help');
  for (const noun of Object.keys(registry))
    expect(text.match(new RegExp(`^  (\\w+, )*${noun}( {2,}|, |:)`, 'gm')), noun).toHaveLength(1);
  const whole = await help('--help', '--all');
  for (const noun of Object.keys(registry))
    expect(whole.match(new RegExp(`^  ${noun} {2,}`, 'gm')), noun).toHaveLength(1);
  for (const shown of [text, whole]) expect(shown).not.toContain('Other:');
});

test('the help of a command fits a screen, and leads to the rest', async () => {
  expect((await help('--help')).split('\n').length - 1).toBeLessThanOrEqual(45);
  for (const { name } of tree.commands) {
    const words = name.split(' ').slice(1);
    const [text, all] = [await help(...words, '--help'), await help(...words, '--help', '--all')];
    expect(text.split('\n').length - 1, name).toBeLessThanOrEqual(40);
    if (text !== all) expect(text).toContain(`More: ${name} --help --all\n`);
    expect(all.length, name).toBeGreaterThanOrEqual(text.length);
  }
});

test('help is wrapped at words to the width of the terminal; only a command may be wider', async () => {
  for (const { name } of tree.commands) {
    for (const line of (await help(...name.split(' ').slice(1), '--help', '--all')).split('\n')) {
      if (!/^ +fleet |^Usage: /.test(line)) expect(line.length, `${name}: ${line}`).toBeLessThanOrEqual(80);
    }
  }
});

test('`fleet help <command> --all` is the same as --help --all', async () => {
  expect(await help('help', 'trips', 'list', '--all')).toBe(await help('trips', 'list', '--help', '--all'));
});

test('every help text begins with its examples, and a noun shows its verbs before anything else', async () => {
  for (const { name, commands, examples } of tree.commands) {
    const text = await help(...name.split(' ').slice(1), '--help');
    const headings = [...text.matchAll(/^([A-Z][a-z ]+):$/gm)].map(([, heading]) => heading);
    if (examples.length > 0) expect(headings[0], name).toBe('Examples');
    if (commands.length > 0) expect(headings[examples.length > 0 ? 1 : 0], name).toBe('Commands');
    expect(text).toContain('fleet help options');
    expect(text).not.toContain('--base-url <url>');
  }
});

test('only the help of a verb names operations of the service', async () => {
  expect(await help('--help')).not.toMatch(namesOperation);
  for (const noun of tree.commands.filter(({ commands }) => commands.length > 0)) {
    expect((await help(...noun.name.split(' ').slice(1), '--help')).split('Commands:')[1], noun.name).not.toMatch(
      namesOperation,
    );
  }
  expect(await help('groups', 'list', '--help')).toContain('(getGroups)');
});

test('a slip of a topic leads to the topic, and a Tab offers the topics', async () => {
  const fleet = shell(service().fetch, {});
  expect((await fleet(['help', 'optoins'])).stderr).toContain('Did you mean `help options`?');
  expect((await fleet(['help', 'vehicels'])).stderr).toContain('Did you mean vehicles?');
  const { stdout } = await fleet(['__complete', '--', 'help', '']);
  for (const topic of Object.keys(helpTopics)) expect(stdout).toContain(`${topic}\t`);
});
