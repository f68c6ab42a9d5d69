// The queries of docs/sync.md: each finds something in a copy of the reference fleet in SQLite.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sqliteTarget, sync } from '../../src/sync/index.js';
import { root } from '../docs/markdown.js';
import { makeClient, makeService } from '../request/setup.js';
import { query, tempFile } from './copies.js';

const text = readFileSync(join(root, 'docs/sync.md'), 'utf8');
const queries = [...text.matchAll(/```sql\n([\s\S]*?);?\n```/g)].map(([, sql = '']) => sql);

test('there are ten, and each finds something', async () => {
  const service = makeService({ vehicles: 12 });
  const file = tempFile();
  const since = new Date('2026-03-01T06:00:00Z');
  await sync(makeClient(service), sqliteTarget(file), { since });
  expect(queries).toHaveLength(10);
  for (const sql of queries) expect({ sql, rows: (await query(file, sql)).length }).not.toEqual({ sql, rows: 0 });
});
