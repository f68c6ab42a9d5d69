// Tests the tables of docs/sync.md against the code. queries.heavy.test.ts runs its queries.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../test/docs/markdown.js';
import { type SyncOptions, syncTables } from '../src/index.js';
import { ownTables, type Table } from '../src/tables.js';
import { views } from '../src/views.js';

const path = join(root, 'docs/sync.md');
const text = readFileSync(path, 'utf8');

function tableText({ name, about, columns, key, references }: Table): string {
  const rows = columns.map(({ name: column, type, about: what, names, isNamedRowThere }) => {
    const isReference = references?.column === column;
    const role = key.includes(column) ? 'key' : '';
    const refers = isReference ? `refers to \`${references.table}\`` : '';
    const named = names === undefined ? '' : isNamedRowThere ? `refers to \`${names}\`` : `id in \`${names}\``;
    return `| \`${column}\` | ${type} | ${[what, role, refers, named].filter((part) => part !== '').join('; ')} |`;
  });
  return `### ${name}\n\n${wrapped(about)}\n\n| column | type | what |\n|---|---|---|\n${rows.join('\n')}\n`;
}

/** Maximum line length of paragraphs. */
const WIDTH = 120;

function wrapped(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}

test('describes every table and view: -u on the command line of vitest writes it', async () => {
  const viewTexts = views.map(({ name, about }) => `### ${name} (view)\n\n${wrapped(about)}\n`);
  const all = [...viewTexts, ...[...syncTables, ...ownTables].map(tableText)].join('\n');
  const written = text.replace(
    /<!-- tables -->[\s\S]*<!-- end of tables -->/,
    () => `<!-- tables -->\n${all}\n<!-- end of tables -->`,
  );
  await expect(written).toMatchFileSnapshot(path);
});

test('describes every option of sync', () => {
  // A new option does not compile until it is here, and fails until it is described.
  const options: Readonly<Record<keyof SyncOptions, true>> = {
    parts: true,
    since: true,
    until: true,
    lateMs: true,
    lateEveryMs: true,
    columns: true,
    keepMs: true,
    speedLimitKmh: true,
    vehicleIds: true,
    groupIds: true,
    users: true,
    adopt: true,
    allowDeletions: true,
    history: true,
    signal: true,
    onProgress: true,
    onTable: true,
    onChange: true,
  };
  const [, described = ''] = text.split('takes:\n');
  const [table = ''] = described.trimStart().split('\n\n');
  expect(Object.keys(options).filter((name) => !table.includes(`| \`${name}\` |`))).toEqual([]);
});
