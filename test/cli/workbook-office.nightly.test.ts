// -o xlsx in LibreOffice: cells equal csv, ids last, durations over a day, bold headings, printing.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readCsv } from '../../src/cli/input/table/delimited.js';
import { durationText } from '../../src/core/durations.js';
import { skipMissing } from '../missing.js';
import { service, shellOf } from './harness.js';

const isMissing =
  spawnSync('soffice', ['--version']).status !== 0 &&
  skipMissing('workbooks in LibreOffice', "Install Debian's libreoffice-calc-nogui.");

const zone = ['--time-zone', 'Europe/Tallinn'];
const formats = {
  /** As shown, in UTF-8, with a comma. */
  csv: 'csv:Text - txt - csv (StarCalc):44,34,76,1,,1033,false,true,true',
  fods: 'fods',
  pdf: 'pdf',
};

/** Returns a workbook of this list, and its conversions by LibreOffice. */
async function opened(words: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-office-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const fleet = shellOf('demo', service().fetch);
  const list = [...words, ...zone];
  expect((await fleet([...list, '--output-file', join(folder, 'list.xlsx')])).code).toBe(0);
  const { stdout } = await fleet([...list, '-o', 'csv']);
  const convert = (format: keyof typeof formats) => {
    // A separate profile, because another LibreOffice may be open.
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`;
    const what = ['--convert-to', formats[format], join(folder, 'list.xlsx'), '--outdir', folder];
    execFileSync('soffice', [profile, '--headless', ...what], { stdio: 'pipe' });
    return readFileSync(join(folder, `list.${format}`));
  };
  return { csv: readCsv(stdout, ','), convert };
}

function cellsOf(rows: ReturnType<typeof readCsv>): readonly (readonly string[])[] {
  return rows.map(({ cells }) => cells.map(({ text }) => text));
}

function isId(title = ''): boolean {
  return /^id$|Id$|\.id$/.test(title);
}

/** Returns the text of LibreOffice for a cell of csv. */
function shown(title: string, cell: string): string {
  if (title.endsWith('Seconds') && cell !== '') return clockOf(Math.round(Number(cell)));
  if (/^(true|false)$/.test(cell)) return cell.toUpperCase();
  // The cell has milliseconds, but its format does not show them.
  return cell.replace(/^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\.\d+$/, '$1');
}

/** Returns `26:03:07`. */
function clockOf(seconds: number): string {
  const two = (count: number) => String(count).padStart(2, '0');
  return `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

describe.skipIf(isMissing)('LibreOffice', () => {
  test.each([
    ['vehicles', ['vehicles', 'list']],
    ['trips', ['trips', 'list', '--on', 'yesterday']],
    ['sums', ['trips', 'list', '--from', '-7d', '--sum-by', 'vehicle']],
    ['a report', ['reports', 'run', 'vehicle-distance', '--on', 'yesterday']],
    ['people', ['people', 'list']],
    ['geofences', ['geofences', 'list']],
  ])('shows every cell of csv: %s', async (_, words) => {
    const { csv, convert } = await opened(words);
    const sheet = cellsOf(readCsv(convert('csv').toString('utf8'), ','));
    const [head = [], ...rows] = cellsOf(csv);
    expect(rows.length).toBeGreaterThan(2);
    const order = [...head.keys()].sort((a, b) => Number(isId(head[a])) - Number(isId(head[b])));
    expect(sheet.slice(1, 1 + rows.length)).toEqual(
      rows.map((row) => order.map((at) => shown(head[at] ?? '', row[at] ?? ''))),
    );
    // An empty row, which the reader of csv omits, and the total.
    const below = sheet.slice(1 + rows.length);
    expect(below.map(([first]) => first)).toEqual(below.length === 0 ? [] : ['Total']);
  });

  test('knows durations of more than a day, and bold headings', async () => {
    const { csv, convert } = await opened(['trips', 'list', '--from', '-7d', '--sum-by', 'vehicle']);
    const sheet = convert('fods').toString('utf8');
    const at = csv[0]?.cells.findIndex(({ text }) => text === 'durationSeconds') ?? -1;
    const longest = Math.max(...csv.slice(1).map(({ cells }) => Number(cells[at]?.text)));
    expect(longest, durationText(longest * 1_000)).toBeGreaterThan(86_400);
    const hours = Math.floor(longest / 3_600);
    expect(sheet).toContain(`office:value-type="time" office:time-value="PT${hours}H`);
    expect(sheet).toContain('number:truncate-on-overflow="false"');
    const [, bold] =
      /table:style-name="(ce\d+)"[^>]*><text:p>Vehicle<\/text:p>/.exec(sheet.replace(/>\s+</g, '><')) ?? [];
    expect(sheet).toMatch(new RegExp(`style:name="${bold}".*?fo:font-weight="bold".*?</style:style>`, 's'));
  });

  test('prints it', async () => {
    const { convert } = await opened(['trips', 'list', '--from', '-7d', '--sum-by', 'vehicle']);
    expect(convert('pdf').subarray(0, 5).toString()).toBe('%PDF-');
  });
});
