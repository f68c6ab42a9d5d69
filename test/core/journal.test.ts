// A damaged or partial record in a journal loses no other record.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Journal } from '../../src/core/journal.js';

const folder = mkdtempSync(join(tmpdir(), 'fleet-journal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'journal');

interface Damage {
  readonly bytes: number;
  readonly isLast: boolean;
}

function open({ readsOn = true } = {}) {
  const found: { readonly head: unknown; readonly partsAt: number }[] = [];
  const damage: Damage[] = [];
  const journal = new Journal(path, (record) => found.push(record), {
    readOnly: false,
    onDamage: (one) => {
      damage.push(one);
      return readsOn;
    },
  });
  const records = found.map(({ head, partsAt }) => `${head} ${journal.bytes(partsAt, 4).toString()}`);
  journal.close();
  return { records, damage };
}

const names = ['one', 'two', 'six'];

function written(): { readonly whole: Buffer; readonly ends: readonly number[] } {
  rmSync(path, { force: true });
  const journal = new Journal(path, () => undefined, { readOnly: false });
  const ends = names.map((name) => {
    journal.append(name, [Buffer.from('pa'), Buffer.from('rt')]);
    return journal.size;
  });
  journal.close();
  return { whole: readFileSync(path), ends };
}

test('each flipped bit costs the record that it is in, and is reported', () => {
  const { whole, ends } = written();
  for (let at = 0; at < whole.length; at++) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
    writeFileSync(path, damaged);
    const place = ends.findIndex((end) => at < end);
    const { records, damage } = open();
    expect(records, `byte ${at}`).toEqual(names.filter((_, index) => index !== place).map((name) => `${name} part`));
    expect(damage, `byte ${at}`).toEqual([{ bytes: whole.length / names.length, isLast: place === names.length - 1 }]);
  }
});

test('a record that a killed process has begun is no damage, and the next one takes its place', () => {
  const { whole, ends } = written();
  for (let length = ends[1] ?? 0; length < whole.length; length++) {
    writeFileSync(path, whole.subarray(0, length));
    expect(open(), `${length} bytes`).toEqual({ records: ['one part', 'two part'], damage: [] });
    expect(readFileSync(path)).toHaveLength(ends[1] ?? 0);
  }
});

test('for a caller that stops at damage, the file ends before it', () => {
  const { whole, ends } = written();
  whole[(ends[0] ?? 0) + 7] = 0xff;
  writeFileSync(path, whole);
  expect(open({ readsOn: false }).records).toEqual(['one part']);
  expect(readFileSync(path)).toHaveLength(ends[0] ?? 0);
});

test('bytes of something else between records, and a large hole, are passed over', () => {
  const { whole, ends } = written();
  const first = whole.subarray(0, ends[0]);
  writeFileSync(path, Buffer.concat([first, Buffer.alloc(3_000_001), first, Buffer.from('else'), first]));
  expect(open()).toEqual({
    records: ['one part', 'one part', 'one part'],
    damage: [
      { bytes: 3_000_001, isLast: false },
      { bytes: 4, isLast: false },
    ],
  });
});
