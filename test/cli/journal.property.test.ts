// Journal files with any content: nothing crashes, complete lines are read, and damage is reported.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { entryOutcome, restoredIds, undoneBy } from '../../src/cli/journal/entry.js';
import { readJournal } from '../../src/cli/journal/journal-folder.js';
import { parseEntry } from '../../src/cli/journal/parse-entry.js';
import { anyCharacter } from '../any-character.js';
import { runs } from '../runs.js';
import { service, shellOf } from './harness.js';

const at = '2026-03-02T09:30:00.000Z';
const head = {
  journal: 1,
  at,
  profile: 'default',
  baseUrl: 'https://fleet.test',
  login: 'demo',
  user: null,
  command: 'vehicles update "Van 01" --year 2001',
  undoes: null,
};
const id = '5ef2b502-231f-52e8-9390-665aa48b0bdb';
const intent = (step: number) => ({
  step,
  at,
  operations: ['updateVehicle'],
  records: [
    { kind: 'vehicle', action: 'update', name: 'Van 01', id, changes: [{ field: 'year', before: 2020, after: 2001 }] },
  ],
});
const deletion = (step: number) => ({
  step,
  at,
  operations: ['deleteGroup'],
  records: [
    {
      kind: 'group',
      action: 'delete',
      name: 'Winter',
      id: 'g',
      changes: [{ field: 'vehicleIds', before: [id], after: null }],
      effect: '1 vehicle',
      dependents: { rules: [{ id: 'r', name: 'R' }], groups: [], assignments: [] },
    },
  ],
});
const outcome = (step: number) => ({ step, at, outcome: 'done', id: 'new', joined: ['g'] });
const whole = [head, intent(0), outcome(0), deletion(1), outcome(1), intent(2)];
const text = `${whole.map((line) => JSON.stringify(line)).join('\n')}\n`;

test('a whole entry is read as it was written', () => {
  const { user: _user, journal: _journal, ...headMembers } = head;
  expect(parseEntry(7, text)).toEqual({
    n: 7,
    ...headMembers,
    user: null,
    isDamaged: false,
    steps: [
      { at, operations: ['updateVehicle'], records: intent(0).records, outcome: 'done', id: 'new', joined: ['g'] },
      { at, operations: ['deleteGroup'], records: deletion(1).records, outcome: 'done', id: 'new', joined: ['g'] },
      { at, operations: ['updateVehicle'], records: intent(2).records, outcome: 'unknown' },
    ],
  });
});

test('cut at any byte, an entry says only what is whole: a step without its answer is unknown', () => {
  const bytes = Buffer.from(text);
  for (let length = 0; length <= bytes.length; length++) {
    const cut = bytes.subarray(0, length).toString('utf8');
    const lines = cut.split('\n');
    const last = lines.at(-1) ?? '';
    const isWholeLine = last === '' || whole.some((line) => JSON.stringify(line) === last);
    const entry = parseEntry(1, cut);
    const count = lines.filter((line) => whole.some((one) => JSON.stringify(one) === line)).length;
    if (count === 0) expect(entry).toBeNull();
    else {
      expect(entry?.isDamaged).toBe(!isWholeLine);
      const shown = whole.slice(0, count);
      expect(entry?.steps).toHaveLength(shown.filter((line) => 'records' in line).length);
      const outcomeCount = shown.filter((line) => 'outcome' in line).length;
      expect(entry?.steps.filter((step) => step.outcome === 'done')).toHaveLength(outcomeCount);
    }
  }
});

/** Nearly valid lines: swapped values, missing members, and any other text. */
const lineLike = fc.oneof(
  fc.constantFrom(...whole).map((line) => JSON.stringify(line)),
  fc.tuple(fc.constantFrom(...whole), fc.jsonValue(), fc.nat(), fc.boolean()).map(([line, value, position, isGone]) => {
    const names = Object.keys(line);
    const name = names[position % names.length] ?? '';
    const { [name]: _old, ...rest } = Object(line);
    return JSON.stringify(isGone ? rest : { ...rest, [name]: value });
  }),
  fc.tuple(fc.constantFrom(intent(0), deletion(1)), fc.jsonValue(), fc.nat()).map(([line, value, position]) => {
    const [record] = line.records;
    const names = Object.keys(Object(record));
    return JSON.stringify({ ...line, records: [{ ...record, [names[position % names.length] ?? '']: value }] });
  }),
  fc.json(),
  fc.string({ unit: anyCharacter }),
);
const fileLike = fc.oneof(
  fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
  fc
    .tuple(fc.boolean(), fc.array(lineLike, { maxLength: 8 }))
    .map(([hasHead, lines]) => Buffer.from([...(hasHead ? [JSON.stringify(head)] : []), ...lines].join('\n'))),
  fc.tuple(fc.nat(text.length), fc.uint8Array({ maxLength: 5 })).map(([where, bytes]) => {
    const damaged = Buffer.from(text);
    damaged.set(bytes.subarray(0, Math.max(0, damaged.length - where)), where);
    return damaged;
  }),
);

test('any bytes are read without a crash, and every line that is left out is told', () => {
  fc.assert(
    fc.property(fileLike, (bytes) => {
      const content = bytes.toString('utf8');
      const entry = parseEntry(1, content);
      if (entry === null) return;
      const lines = content.split('\n').filter((line) => line !== '');
      const read = lines.slice(1).filter((line) => {
        const alone = parseEntry(1, `${lines[0]}\n${line}`);
        return alone !== null && !alone.isDamaged;
      });
      expect(entry.isDamaged).toBe(read.length < lines.length - 1);
      expect(['done', 'failed', 'unknown', 'partly']).toContain(entryOutcome(entry));
      undoneBy([entry]);
      restoredIds([entry]);
    }),
    { numRuns: runs(5_000) },
  );
});

test('records that came back under ids of each other end in no circle', () => {
  const back = (formerId: string, newId: string) => ({
    ...outcome(0),
    ...{
      at,
      operations: [],
      records: [{ kind: 'group', action: 'create' as const, name: 'A', id: null, changes: [], formerId }],
    },
    ...{ outcome: 'done' as const, id: newId },
  });
  const entry = { n: 1, ...head, steps: [back('a', 'b'), back('b', 'a')], isDamaged: false };
  expect([...restoredIds([entry]).keys()]).toEqual(['a', 'b']);
});

test('history and undo say what is damaged, and never fail for it', { timeout: 300_000 }, async () => {
  const world = service();
  const fleet = shellOf('demo', world.fetch);
  expect((await fleet(['vehicles', 'types'])).code).toBe(0);
  const folder = join(fleet.folder, 'journal');
  mkdirSync(folder, { recursive: true });
  await fc.assert(
    fc.asyncProperty(fc.array(fileLike, { minLength: 1, maxLength: 3 }), async (files) => {
      for (const [index, bytes] of files.entries()) writeFileSync(join(folder, `${index + 1}.ndjson`), bytes);
      const { entries, unreadable } = readJournal(folder);
      const list = await fleet(['history', '-o', 'json']);
      expect({ code: list.code, stderr: list.stderr }).toMatchObject({ code: 0 });
      expect(JSON.parse(list.stdout)).toHaveLength(entries.length);
      for (const n of unreadable) expect(list.stderr).toContain(`#${n}`);
      for (const { n } of entries.filter(({ isDamaged }) => isDamaged)) expect(list.stderr).toContain(`#${n}`);
      for (const n of files.keys()) {
        const { code } = await fleet(['history', 'get', String(n + 1)], { terminal: 80 });
        expect([0, 5]).toContain(code);
        const undo = await fleet(['undo', String(n + 1), '--dry-run', '--force']);
        expect({ code: undo.code, stderr: undo.stderr }).not.toMatchObject({ code: 1 });
      }
    }),
    { numRuns: runs(150) },
  );
});

test('a file that cannot be read is told', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, '3.ndjson'));
  writeFileSync(join(folder, '4.ndjson'), text);
  expect(readJournal(folder)).toMatchObject({ entries: [{ n: 4 }], unreadable: [3] });
});
