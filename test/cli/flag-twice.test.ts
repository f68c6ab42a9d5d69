// A repeated flag is refused unless its help says that it may be repeated.
import { expect, test } from 'vitest';
import { type CommandPage, readTree } from '../../codegen/cli-docs/tree.js';
import { service, shellOf } from './harness.js';

const tree = await readTree();
const leaves = [...tree.commands, ...tree.commands.flatMap(({ commands }) => commands)].filter(
  ({ commands, name }) => commands.length === 0 || name === 'fleet history',
);

/** Returns a value that the parser of the flag accepts. */
function valuesOf({ written, about }: CommandPage['flags'][number]): readonly string[] {
  if (!written.includes('<')) return [];
  const [, choice] = /\((?:choices: ")?([a-z-]+)[",]/.exec(about) ?? [];
  if (/<(duration|pause)>/.test(written)) return ['1d'];
  if (/count>|port>|number>|km\/h>|reading>|distance>|amount>/.test(written)) return ['7'];
  if (written.includes('<year>')) return ['2023'];
  if (written.includes('<days>')) return ['mon-fri'];
  if (/--on /.test(written) && about.startsWith('what to watch for')) return ['silent'];
  if (/--variant/.test(written)) return ['refresh-rotates'];
  if (/--time /.test(written)) return ['2026-03-01T08:00:00Z'];
  return [choice ?? 'vehicles'];
}

test.each(leaves.map((page) => [page.name, page] as const))('of %s', async (name, page) => {
  const { fetch, requests } = service({ vehicles: 1 });
  const fleet = shellOf('demo', fetch);
  const required = page.arguments.filter(({ written }) => written.startsWith('<')).map(() => '7');
  for (const flag of page.flags) {
    const [long = ''] = /--[a-z-]+/.exec(flag.written) ?? [];
    const typed = [long, ...valuesOf(flag)];
    const isRepeatable = /\brepeat\b/.test(flag.about);
    // A report accepts unknown flags, so this would run it.
    if (isRepeatable && name === 'fleet reports run') continue;
    // An unknown flag ends the command after the others were parsed.
    const words = [...name.split(' ').slice(1), ...required, ...typed, ...typed, '--no-such-flag'];
    const { code, stderr } = await fleet(words);
    expect({ code, isTwice: stderr.includes(`error: ${long} is given twice.`) }, `${long}: ${stderr}`).toEqual({
      code: 2,
      isTwice: !isRepeatable,
    });
  }
  expect(requests).toEqual([]);
});

test.each([
  [['--limit', '1', '--limit', '2'], '--limit'],
  [['-o', 'csv', '--output', 'json'], '--output'],
  [['--user', 'one', '--user=two'], '--user'],
  [['--no-headers', '--no-headers'], '--no-headers'],
])('of the program, before or after the command: %s', async (flags, named) => {
  const half = flags.length / 2;
  for (const words of [
    ['vehicles', 'list', ...flags],
    [...flags.slice(0, half), 'vehicles', 'list', ...flags.slice(half)],
  ]) {
    const { code, stderr } = await shellOf('demo', service().fetch)([...words, '--quiet']);
    expect({ code, isNamed: stderr.includes(`${named} is given twice.`) }, stderr).toEqual({ code: 2, isNamed: true });
  }
});

test('those that add up', async () => {
  const fleet = shellOf('demo', service().fetch);
  const words = ['vehicles', 'list', '--fields', 'name', '--filter', 'name~van', '--filter', 'name~1', '--no-headers'];
  expect((await fleet(words)).stdout).toMatch(/^Van .*1\n$/);
});
