// Cells of a workbook, or of its csv, are read as people see them, or refused with their line.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { expect, test, vi } from 'vitest';
import { service, shellOf } from './harness.js';

const formats = ['General', '0000', '"EMP-"0000', '0.00', '#,##0', '0%', '000\\-000', '0;[Red]-0', '# ?/?', '0" km"'];

const xml = (text: string) => new TextEncoder().encode(`<?xml version="1.0" encoding="UTF-8"?>${text}`);
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Returns a workbook with these rows of cells, in XML. */
function workbook(rows: readonly string[]): Uint8Array {
  const numFmts = formats.map(
    (code, id) => `<numFmt numFmtId="${200 + id}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
  );
  const xfs = formats.map((_, id) => `<xf numFmtId="${200 + id}"/>`);
  return zipSync({
    'xl/workbook.xml': xml(
      `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="A" sheetId="1" r:id="one"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': xml(
      `<Relationships><Relationship Id="two" Type="${office}/styles" Target="styles.xml"/><Relationship Id="one" Type="${office}/worksheet" Target="/xl/worksheets/sheet1.xml"/></Relationships>`,
    ),
    'xl/styles.xml': xml(
      `<styleSheet xmlns="${main}"><numFmts>${numFmts.join('')}</numFmts><cellStyleXfs><xf numFmtId="0"/></cellStyleXfs><cellXfs>${xfs.join('')}</cellXfs></styleSheet>`,
    ),
    'xl/worksheets/sheet1.xml': xml(`<worksheet xmlns="${main}"><sheetData>${rows.join('')}</sheetData></worksheet>`),
  });
}

const text = (place: string, value: string) => `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;
const people = (employeeId: string) =>
  workbook([
    `<row r="1">${text('A1', 'firstName')}${text('B1', 'lastName')}${text('C1', 'employeeId')}</row>`,
    `<row r="2">${text('A2', 'Jaan')}${text('B2', 'Tamm')}${employeeId}</row>`,
  ]);

async function planned(name: string, bytes: Uint8Array | string) {
  const fleet = shellOf('demo', service().fetch);
  const file = join(fleet.folder, name);
  writeFileSync(file, bytes);
  return fleet(['people', 'apply', file, '--dry-run', '-o', 'json']);
}

const number = (value: string, format: string) => `<c r="C2" s="${formats.indexOf(format)}"><v>${value}</v></c>`;

test.each([
  ['42', 'General', '42'],
  ['42', '0000', '0042'],
  ['42', '"EMP-"0000', 'EMP-0042'],
  ['-7', '"EMP-"0000', '-EMP-0007'],
  ['1.5', '0.00', '1.50'],
  ['12345', '#,##0', '12345'],
  ['0.15', '0%', '15%'],
  ['123456', '000\\-000', '123-456'],
  ['12', '000\\-000', '000-012'],
  ['-3', '0;[Red]-0', '-3'],
  ['0.5', '# ?/?', '0.5'],
  ['12', '0" km"', '12 km'],
  ['0.30000000000000004', 'General', '0.3'],
  ['123456789012345', 'General', '123456789012345'],
])('the number %s with the format %s is the text %s', async (value, format, expected) => {
  const { code, stdout, stderr } = await planned('in.xlsx', people(number(value, format)));
  expect({ code, stderr }).toMatchObject({ code: 10 });
  expect(stdout).toContain(JSON.stringify(expected));
});

test.each([
  ['<c r="C2" t="e"><f>VLOOKUP(1,X,2)</f><v>#N/A</v></c>', 'line 2, employeeId: the spreadsheet shows #N/A there'],
  ['<c r="C2" t="e"><v>#REF!</v></c>', 'the spreadsheet shows #REF! there'],
  [number('8.937203000000001E+18', 'General'), 'line 2, employeeId: a spreadsheet has rounded this number'],
  [number('1234567890123456', '0000'), 'a spreadsheet has rounded this number'],
])('a workbook with the cell %s is refused', async (cell, said) => {
  const { code, stdout, stderr } = await planned('in.xlsx', people(cell));
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(said);
});

test.each(['#N/A', '#REF!', '#DIV/0!', '#NAME?', '#BEZUG!', '#¡VALOR!', '#NV', '########', '4E+15'])(
  'csv with the cell %s is refused',
  async (cell) => {
    const { code, stderr } = await planned('in.csv', `firstName,lastName,employeeId\nJaan,Tamm,${cell}\n`);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('line 2, employeeId: ') });
  },
);

test.each(['#12', '#A1', '"#N/A"'])('csv with the cell %s is read', async (cell) => {
  const { code, stdout } = await planned('in.csv', `firstName,lastName,employeeId\nJaan,Tamm,${cell}\n`);
  expect(code).toBe(10);
  expect(stdout).toContain(cell.replaceAll('"', ''));
});

test('a number with a format is a number where the input is one', async () => {
  const fleet = shellOf('demo', service().fetch);
  const file = join(fleet.folder, 'in.xlsx');
  const titles = ['name', 'latitude', 'longitude', 'radius'].map((title, i) => text(`${'ABCD'[i]}1`, title)).join('');
  const row = (radius: string) =>
    `<row r="2">${text('A2', 'Yard')}<c r="B2" s="3"><v>58.38</v></c><c r="C2"><v>26.72</v></c>${radius.replace(/^<c r="C2"/, '<c r="D2"')}</row>`;
  const apply = async (radius: string) => {
    writeFileSync(file, workbook([`<row r="1">${titles}</row>`, row(radius)]));
    return fleet(['geofences', 'import', file, '--dry-run']);
  };
  expect(await apply(number('200', '0" km"'))).toMatchObject({ code: 10 });
  expect(await apply(number('2', '0%'))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('radius is not a distance'),
  });
});

test.each([
  [
    'a cell at the last place',
    '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
    'its sheet reaches to XFD1048576',
  ],
  [
    'a place that is not there',
    '<row r="3"><c r="ZZZZZZZZ999999999999"><v>1</v></c></row>',
    'no workbook that can be read',
  ],
  ['a row that is not there', '<row r="999999999999"/>', 'no workbook that can be read'],
  [
    'a place in another spelling',
    '<row r="3"><c r="XFD&#49;048576"><v>1</v></c></row>',
    'its sheet reaches to XFD1048576',
  ],
  ['two places', '<row r="3"><c r="A3" x:r="XFD1048576"><v>1</v></c></row>', 'no workbook that can be read'],
])('%s is refused before memory is taken for it', async (_, row, said) => {
  const fetch = vi.fn();
  const fleet = shellOf('demo', fetch);
  const file = join(fleet.folder, 'in.xlsx');
  writeFileSync(file, workbook([`<row r="1">${text('A1', 'name')}</row>`, row]));
  const { code, stderr } = await fleet(['groups', 'apply', file, '--yes']);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
  expect(fetch).not.toHaveBeenCalled();
});

test('an empty cell with a format far away costs nothing', async () => {
  const row = `<row r="2">${text('A2', 'Jaan')}${text('B2', 'Tamm')}<c r="XFD2" s="1"/></row><row r="1048576"><c r="XFD1048576" s="1"/></row>`;
  const titles = `<row r="1">${text('A1', 'firstName')}${text('B1', 'lastName')}</row>`;
  expect(await planned('in.xlsx', workbook([titles, row]))).toMatchObject({ code: 10 });
});
