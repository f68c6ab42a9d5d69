// Comparison of names: a file in another spelling matches the existing records.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { comparable, hasPart, isSameText } from '../../src/cli/records/names.js';
import { runs } from '../runs.js';
import { service, shellOf } from './harness.js';

const letters = fc.constantFrom(...'abzäöüõéčňłßøія'.split(''));
const word = fc
  .array(letters, { minLength: 2, maxLength: 6 })
  .map((all) => `${all[0]?.toLocaleUpperCase('en')}${all.slice(1).join('')}`);
const name = fc.tuple(word, fc.integer({ min: 1, max: 120 })).map(([text, number]) => `${text} ${number}`);
const names = fc.uniqueArray(name, { minLength: 4, maxLength: 4, selector: (text) => comparable(text, 'name') });

/** Spellings of the same name by other programs. */
const respellings: readonly ((text: string) => string)[] = [
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => text.normalize('NFD'),
  (text) => `  ${text.replaceAll(' ', ' \u00a0')} `,
  (text) => text.replaceAll(/(?<!\d)(\d)/g, '0$1'),
  (text) => `${text.slice(0, 2)}\u200b${text.slice(2)}`,
];
const respelling = fc
  .subarray([...respellings], { minLength: 1 })
  .map((all) => (text: string) => all.reduce((spelled, one) => one(spelled), text));

const lists = [
  { noun: 'people', verb: 'apply', given: 'lastName', keep: 'firstName,lastName,phone,roles.name' },
  { noun: 'groups', verb: 'apply', given: 'name', keep: 'name,description' },
  { noun: 'geofences', verb: 'import', given: 'name', keep: 'name,description,type,color' },
  { noun: 'vehicles', verb: 'apply', given: 'name', keep: 'name,make,model,year,assignedGroups.name' },
] as const;

describe.each(lists)('$noun', ({ noun, verb, given: keyField, keep }) => {
  test('what a list prints plans nothing, in any spelling, also with --prune', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(names, respelling, async (newNames, respelled) => {
        const fleet = shellOf('demo', service({ vehicles: 4 }).fetch);
        const ids = (await fleet([noun, 'list', '--fields', 'id', '--no-headers'])).stdout.trim().split('\n');
        const flag = keyField === 'name' ? '--name' : '--last-name';
        for (const [index, id] of ids.slice(0, newNames.length).entries()) {
          expect((await fleet([noun, 'update', id, flag, newNames[index] ?? ''])).code).toBe(0);
        }
        const prune = noun === 'vehicles' ? [] : ['--prune'];
        const plan = (input: string) =>
          fleet([noun, verb, '-', '--input-format', 'csv', '--dry-run', '--ignore-columns', ...prune], { input });
        const own = await fleet([noun, 'list', '-o', 'csv']);
        expect(await plan(own.stdout)).toMatchObject({
          code: 0,
          stdout: expect.stringMatching(/^[^\n]*(\n[^~+-].*)*\n$/),
        });
        const { stdout } = await fleet([noun, 'list', '-o', 'csv', '--fields', keep]);
        const other = newNames.reduce((text, one) => text.replaceAll(one, `"${respelled(one)}"`), stdout);
        const { code, stderr } = await plan(other);
        expect({ other, code, stderr }).toMatchObject({ code: 0 });
      }),
      { numRuns: runs(20) },
    );
  });
});

describe('the comparison', () => {
  test.each([
    ['Van 1', 'VAN 01'],
    ['Olga Mets', 'OLGA  METS '],
    ['Jürgen Müller', 'Jürgen Müller'.normalize('NFD')],
    ['Straße 7', 'STRASSE 07'],
    ['Depot\u00a0Tartu', 'depot tartu'],
    ['Işık', 'IŞIK'],
  ])('%s is %s', (one, other) => expect(isSameText(one, other, 'name')).toBe(true));

  test.each([
    ['Van 1', 'Van 10', 'name'],
    ['Van 1.05', 'Van 1.5', 'name'],
    ['anna1@x.example', 'anna01@x.example', 'code'],
    ['A01B1', 'A1B01', 'code'],
  ] as const)('%s is not %s', (one, other, form) => expect(isSameText(one, other, form)).toBe(false));

  test('a part does not cut a number, and is found in the form of a name', () => {
    expect(hasPart('Van 10', 'Van 1', 'name')).toBe(false);
    expect(hasPart('Old Van 01', 'van 1', 'name')).toBe(true);
    expect(hasPart('510 JDR', '51', 'code')).toBe(false);
    expect(hasPart('Depot Tartu', 'TARTU'.normalize('NFD'), 'name')).toBe(true);
  });

  test('is the same in both directions, and as often as it is made', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        respelling,
        fc.constantFrom('name', 'code', 'text'),
        (text, spelled, form) => {
          expect(comparable(comparable(text, form), form)).toBe(comparable(text, form));
          if (form === 'name') expect(comparable(spelled(text), 'name')).toBe(comparable(text, 'name'));
        },
      ),
      { numRuns: runs(2_000) },
    );
  });
});
