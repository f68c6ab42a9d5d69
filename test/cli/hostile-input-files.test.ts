// Input files that keep a parser busy or are nested too deeply are refused; nothing is sent.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { service, shellOf } from './harness.js';

const deepArray = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');
const bomb = [
  'a: &a [x, x, x, x, x, x, x, x, x]',
  ...[...'bcdefghij'].map((key, i) => `${key}: &${key} [${Array(9).fill(`*${'abcdefghij'[i]}`).join(', ')}]`),
].join('\n');
const group = ['groups', 'apply', '--yes'];
const deepDocument = `${'{ a '.repeat(20_000)}${'}'.repeat(20_000)}`;
const deepMap = `${'{"type":"FeatureCollection","features":['.repeat(5_000)}${']}'.repeat(5_000)}`;
const deepGeometry = `{"type":"Feature","geometry":{"type":"Polygon","coordinates":${deepArray}}}`;

test.each([
  ['aliases that multiply each other', 'in.yaml', bomb, group, 'its aliases cannot be resolved'],
  ['a circle of merges', 'in.yaml', '%YAML 1.1\n---\nname: &a\n  <<: *a\n', group, 'its aliases cannot be resolved'],
  ['an alias without an anchor', 'in.yaml', 'name: *a\n', group, 'its aliases cannot be resolved'],
  ['a value in itself', 'in.yaml', 'name: &a\n  - *a\n', group, 'nested deeper than 100 levels'],
  [
    '5,000 anchors',
    'in.yaml',
    `x:\n${lines(5_000, (i) => `  - &a${i} x\n  - *a${i}`)}`,
    group,
    'it has more than 1000 aliases',
  ],
  ['deep YAML', 'in.yaml', `name: ${'['.repeat(500)}${']'.repeat(500)}`, group, 'nested deeper than 100 levels'],
  ['deep JSON', 'in.json', `{"name":${deepArray}}`, group, 'nested deeper than 100 levels'],
  ['a deep line', 'in.ndjson', `{"name":"a"}\n{"name":${deepArray}}\n`, group, 'nested deeper than 100 levels'],
  ['a deep cell', 'in.csv', `name,geojson\nx,"${deepArray}"\n`, ['geofences', 'import', '--yes'], 'nested deeper'],
  ['a deep map', 'in.geojson', deepMap, ['geofences', 'import', '--yes'], 'nested deeper than 100 levels'],
  ['a deep polygon', 'in.geojson', deepGeometry, ['geofences', 'import', '--yes'], 'nested deeper than 100 levels'],
] as const)('%s', async (_, name, text, command, message) => {
  const fetch = vi.fn();
  const fleet = shellOf('demo', fetch);
  const file = join(fleet.folder, name);
  writeFileSync(file, text);
  const { code, stdout, stderr } = await fleet([...command, file]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr).toContain('Nothing was sent.');
  expect(fetch).not.toHaveBeenCalled();
});

/** Returns a workbook with a part of this declared size. */
function workbookOf(size: number): Buffer {
  const name = Buffer.from('xl/worksheets/sheet1.xml');
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt32LE(size, 24);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(2, 8);
  end.writeUInt16LE(2, 10);
  end.writeUInt32LE(local.length + name.length, 16);
  const directory = Buffer.concat([entry, name]);
  return Buffer.concat([local, name, directory, directory, end, Buffer.from('a comment')]);
}

test.each([
  ['two parts of 40 MB', workbookOf(40 * 1024 * 1024), 'more than 64 MB when it is unpacked'],
  ['a part of more than 4 GB', workbookOf(0xffffffff), 'more than 64 MB when it is unpacked'],
  ['a part that is not there', workbookOf(10), 'it is no workbook that can be read'],
  ['no directory', workbookOf(10).subarray(0, 60), 'it is no workbook that can be read'],
] as const)('a workbook with %s', async (_, bytes, message) => {
  const fetch = vi.fn();
  const fleet = shellOf('demo', fetch);
  const file = join(fleet.folder, 'in.xlsx');
  writeFileSync(file, bytes);
  const { code, stdout, stderr } = await fleet([...group, file]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(fetch).not.toHaveBeenCalled();
});

test.each([
  ['a deep document', [deepDocument], 'nested too deeply'],
  [
    'a deep variable',
    ['query ($a: JSON) { getRoles { id } }', '-v', `a:=${deepArray}`],
    'nested deeper than 100 levels',
  ],
] as const)('fleet api: %s', async (_, words, message) => {
  const fetch = vi.fn();
  const { code, stderr } = await shellOf('demo', fetch)(['api', ...words]);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
  expect(fetch).not.toHaveBeenCalled();
});

test('a list with some aliases is read', async () => {
  const yaml = `- &a { name: North }\n- { <<: *a, name: South }\n`;
  const { code, stdout } = await shellOf('demo', service().fetch)(
    ['groups', 'apply', '-', '--input-format', 'yaml', '--dry-run', '-o', 'ndjson'],
    { input: yaml },
  );
  expect(code).toBe(10);
  expect(stdout).toContain('South');
});
