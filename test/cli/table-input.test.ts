// Tables of records: reading csv and tsv, errors, and that the output of -o csv is a valid input.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CliError } from '../../src/cli/errors/cli-error.js';
import { decodeInput, formatOfFile } from '../../src/cli/input/input-format.js';
import type { TableFormat } from '../../src/cli/input/read-input.js';
import { readTable } from '../../src/cli/input/table/read-table.js';
import { colorsFor } from '../../src/cli/io/colors.js';
import { hasControls } from '../../src/cli/io/plain-text.js';
import { csv, safeText } from '../../src/cli/output/csv.js';
import type { Format } from '../../src/cli/output/format.js';
import { tsv } from '../../src/cli/output/tsv.js';
import { recordColumns } from '../../src/cli/plan/load-records.js';
import { personKind } from '../../src/cli/records/person.js';
import { fleetAssignmentView } from '../../src/cli/views/assignment.js';
import { geofenceView } from '../../src/cli/views/geofence.js';
import { vehicleView } from '../../src/cli/views/vehicle.js';
import { expectGolden, jsonOf } from './golden.js';
import { service, shellOf } from './harness.js';
import { Sink } from './sink.js';

const person = recordColumns({ kind: personKind });
const geofence = {
  printed: { type: 'Geofence', views: [geofenceView] },
  input: { variable: 'geofenceInput', type: 'CreateGeofenceInput' },
  references: [],
};
const vehicle = {
  printed: { type: 'Vehicle', views: [vehicleView] },
  input: { variable: 'vehicleInput', type: 'VehicleInput' },
  references: [],
};
const assignment = {
  printed: { type: 'DriverAssignment', views: [fleetAssignmentView] },
  input: { variable: 'i', type: 'AssignDriverInput' },
  references: [],
};

function read(text: string, format: TableFormat = 'csv', spec: Parameters<typeof readTable>[2] = person) {
  const { lines, lineNumbers, problems, notes } = readTable(text, format, spec, {
    zone: 'Europe/Tallinn',
    ignoreColumns: false,
  });
  return { lines, lineNumbers, problems: [...(problems ?? [])], notes };
}

function refusal(text: string, format: TableFormat = 'csv') {
  try {
    read(text, format);
  } catch (error) {
    if (error instanceof CliError) return `${error.message} ${error.hint}`;
    throw error;
  }
  throw new Error('it was taken');
}

describe('a column that is no input', () => {
  const run = async (words: readonly string[], input: string) => {
    const mock = service();
    const fleet = shellOf('demo', mock.fetch);
    const outcome = await fleet([...words, '--input-format', 'csv'], { input });
    return { ...outcome, sent: mock.requests.length };
  };

  test.each([
    [
      'two',
      ['people', 'apply', '-', '--yes'],
      'firstName;lastName;phon;emial\nNeu;Fahrer;1;2\n',
      ['phon: did you mean phone?', 'emial: did you mean email?'],
    ],
    [
      'one that cannot be created',
      ['vehicles', 'apply', '-', '--yes'],
      'id,licnsePlate\nVan 02,ZZZ 1\n',
      ['licnsePlate: did you mean licensePlate?'],
    ],
    [
      'a nested one',
      ['geofences', 'import', '-', '--yes'],
      'id,adress.city,name\nX,Y,Z\n',
      ['adress.city: did you mean address.city?'],
    ],
    [
      'words of one',
      ['drivers', 'apply', '-', '--yes'],
      'vehicle;driver;start;end\nVan 01;Liis Tamm;2026-03-01 08:00;2026-03-01 16:00\n',
      ['start: did you mean startTimestamp?', 'end: did you mean endTimestamp?'],
    ],
    [
      'nearly another name of one',
      ['drivers', 'apply', '-', '--yes'],
      'vehicel,driver,startetAt\nVan 01,Liis Tamm,2026-03-01 08:00\n',
      ['vehicel: did you mean vehicle?', 'startetAt: did you mean startedAt?'],
    ],
    [
      'shifts',
      ['drivers', 'apply', '-', '--yes'],
      'vehicle,driver,startTimestmp\nVan 01,Liis Tamm,\n',
      ['startTimestmp: did you mean startTimestamp?'],
    ],
  ])('and nearly one is an error, all of them at once, before anything is sent: %s', async (_, words, input, texts) => {
    for (const flags of [[], ['--ignore-columns'], ['--quiet']]) {
      const { code, stdout, stderr, sent } = await run([...words, ...flags], input);
      expect({ code, stdout, sent }).toEqual({ code: 2, stdout: '', sent: 0 });
      for (const text of texts) expect(stderr).toContain(text);
    }
  });

  test('and that no list prints is an error without --ignore-columns', async () => {
    const input = 'name;Bemerkung\nNorth;x\n';
    const words = ['groups', 'apply', '-', '--yes'];
    const refused = await run(words, input);
    expect(refused).toMatchObject({ code: 2, sent: 0 });
    expect(refused.stderr).toBe(
      'error: The input cannot be used: a column is unknown. Nothing was sent.\n' +
        '  Bemerkung: no input, and no list prints it\n' +
        'hint: Known: id, name, parentId, externalId, description. Add --ignore-columns to leave out what is no input.\n',
    );
    const done = await run([...words, '--ignore-columns'], input);
    expect(done).toMatchObject({
      code: 0,
      stderr:
        'Not inputs, so edits in them change nothing: Bemerkung.\n1 to create\n1 of 1 done.\nDone as #1; `fleet undo 1` takes it back.\n',
    });
  });

  test('and mistakes in cells are told together', async () => {
    const { code, stderr, sent } = await run(
      ['people', 'apply', '-', '--yes'],
      'firstName,isDriver,licenseExpiresAt\nNeu,perhaps,2027-01-01\n',
    );
    expect({ code, sent }).toEqual({ code: 2, sent: 0 });
    expect(stderr).toContain(
      '  licenseExpiresAt: no input, and no list prints it\n  line 2, isDriver: write yes or no\n',
    );
    expect(stderr).toContain('hint: Known: license');
  });

  test('and what people do not get of it is told, with the command that gives it', async () => {
    const input = 'firstName,lastName,isDriver,driverTokens.value,seen\nNeu,Fahrer,yes,1A,\nAnna,Neu,yes,1B,\n';
    expect(await run(['people', 'apply', '-', '--yes', '--ignore-columns'], input)).toMatchObject({
      code: 0,
      stderr:
        'Not inputs, so edits in them change nothing: driverTokens.value (`fleet tokens apply` changes it), seen.\n2 to create\n2 of 2 done.\nDone as #1; `fleet undo 1` takes it back.\n',
    });
  });

  test('people apply tells of new people who are neither drivers nor users', async () => {
    const words = ['people', 'apply', '-', '--yes'];
    const { code, stderr } = await run(words, 'firstName,lastName\nNeu,Fahrer\n');
    expect(code).toBe(0);
    expect(stderr).toContain('warning: New people without isDriver or isUser are neither drivers nor users');
    const drivers = await run(words, 'firstName,lastName,isDriver\nNeu,Fahrer,yes\n');
    expect(drivers.stderr).not.toContain('warning');
  });

  test('and whose title is lost is an error when a cell of it has a value', async () => {
    const words = ['people', 'apply', '-', '--yes'];
    const refused = await run(words, 'firstName;lastName;\nNeu;Fahrer;+372 1\n');
    expect(refused).toMatchObject({ code: 2, sent: 0 });
    expect(refused.stderr).toContain('  column 3 has no title: no input, and no list prints it\n');
    expect(await run([...words, '--ignore-columns'], 'firstName;lastName;\nNeu;Fahrer;+372 1\n')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /^Not inputs, so edits in them change nothing: column 3 has no title\.\n1 to create\n1 of 1 done\.\n/,
      ),
    });
    expect(await run(words, 'firstName;lastName;;\nNeu;Fahrer;;\n')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^1 to create\n1 of 1 done\.\n/),
    });
  });

  test('and that has a word of an input which the table has anyway is no mistake for it', async () => {
    const input = 'Name;First name;Last name\nNeu Fahrer;Neu;Fahrer\n';
    expect(await run(['people', 'apply', '-', '--yes', '--ignore-columns'], input)).toMatchObject({ code: 0 });
  });

  test('and that a list prints is told, with the input that changes it', async () => {
    const input = 'id,name,assignedLabels.id,vehicleType.id,seen\nVan 02,Van 02,1,2,1\n';
    expect(await run(['vehicles', 'apply', '-', '--yes'], input)).toMatchObject({
      code: 0,
      stderr:
        'Not inputs, so edits in them change nothing: assignedLabels.id (the input is labelIds), vehicleType.id (the input is vehicleTypeId), seen.\n1 stays as it is. Nothing to do.\n',
    });
  });
});

describe('a table', () => {
  test('has the names of the inputs as columns, in any spelling, and a change in each row', () => {
    expect(
      read('id,First name,LAST_NAME,is driver\r\nAnna Lind,Anna,Tamm,yes\r\n\r\n7,"Jaan ""J""","A\nB",\r\n'),
    ).toEqual({
      lines: [
        { id: 'Anna Lind', firstName: 'Anna', lastName: 'Tamm', isDriver: true },
        { id: '7', firstName: 'Jaan "J"', lastName: 'A\nB' },
      ],
      lineNumbers: [2, 4],
      problems: [],
      notes: [],
    });
  });

  test.each([
    [',', 'firstName,phone\nAnna,"1,5"\n'],
    [';', 'firstName;phone\nAnna;1,5\n'],
    ['tab', 'firstName\tphone\nAnna\t1,5\n'],
    ['; named as in Excel', 'sep=;\r\nfirstName;phone\r\nAnna;1,5\r\n'],
    ['quoted names', '"firstName";"phone"\r"Anna" ; "1,5"\r'],
  ])('is split by %s', (_, text) => {
    expect(read(text).lines).toEqual([{ firstName: 'Anna', phone: '1,5' }]);
  });

  test('gives each cell the type of its member', () => {
    expect(read('isDriver,isUser\nTRUE,0\nno,Y\n').lines).toEqual([
      { isDriver: true, isUser: false },
      { isDriver: false, isUser: true },
    ]);
    expect(read('year,labelIds\n2019,Leased; Tail lift\n,"[""A;B""]"\n', 'csv', vehicle).lines).toEqual([
      { year: 2019, labelIds: ['Leased', 'Tail lift'] },
      { labelIds: ['A;B'] },
    ]);
    // Local time of Tallinn, in winter and in summer.
    expect(
      read('vehicleId,startTimestamp,endTimestamp\nA,2026-03-01 08:30,2026-07-01\n', 'csv', assignment).lines,
    ).toEqual([
      { vehicleId: 'A', startTimestamp: '2026-03-01T06:30:00.000Z', endTimestamp: '2026-06-30T21:00:00.000Z' },
    ]);
    expect(
      read(`name,address.city,address.country,geojson\nYard,Tartu,EE,"{""type"":""Point""}"\n`, 'csv', geofence).lines,
    ).toEqual([{ name: 'Yard', address: { city: 'Tartu', country: 'EE' }, geojson: { type: 'Point' } }]);
  });

  test('does not give what is empty, and clears what is null', () => {
    expect(read('id,phone,email\nAnna,null,\nJaan,"null",  \n').lines).toEqual([
      { id: 'Anna', phone: null },
      { id: 'Jaan', phone: 'null' },
    ]);
    expect(read('year,labelIds\nnull,null\n', 'csv', vehicle).lines).toEqual([{ year: null, labelIds: [] }]);
  });

  test('says which columns it leaves out, and which quotes', () => {
    expect(read("id,fleetId,driverTokens.value,phone\nAnna,1,x,'+372 55 12\n")).toMatchObject({
      lines: [{ id: 'Anna', phone: '+372 55 12' }],
      notes: [
        'Not inputs, so edits in them change nothing: fleetId, driverTokens.value (`fleet tokens apply` changes it).',
        'One cell begins with the quote of --safe-csv, which is taken away.',
      ],
    });
    expect(read('id\tphone\nAnna\t"1"\n', 'tsv').notes).toEqual([
      'In tsv, quotes around a cell are a part of its text. For a file of a spreadsheet give --input-format csv.',
    ]);
  });

  test('reads yes and no in the languages of its spreadsheets', () => {
    const flags = (words: string) =>
      read(
        `id,isDriver\n${words
          .split(' ')
          .map((word) => `A,${word}\n`)
          .join('')}`,
      ).lines.map((line) => (line as { isDriver: unknown }).isDriver);
    expect(new Set(flags('yes Y TRUE 1 ja Jah si sí kyllä oui tak taip да WAHR'))).toEqual(new Set([true]));
    expect(new Set(flags('no N FALSE 0 nein Ei non nie ne нет FALSCH'))).toEqual(new Set([false]));
  });

  test('has all problems of its cells, with line and column, and never a value', () => {
    const { problems } = read('id,isDriver,isUser,phone\n\nA,jaa?,2,1\nB,yes,no,"3,72556E+11"\n');
    expect(problems).toEqual([
      [0, ['isDriver: write yes or no', 'isUser: write yes or no']],
      [1, ['phone: a spreadsheet has rounded this number: format the column as text there, and enter the value again']],
    ]);
    expect(read('year\n1.999\nabc\n2019.5\n99999999999999999999\n', 'csv', vehicle).problems).toEqual([
      [0, ['year: write a whole number, without separators between thousands']],
      [1, ['year: write a whole number']],
      [2, ['year: write a whole number']],
      [3, ['year: write a whole number']],
    ]);
    expect(read('startedAt,startTimestamp\n,yesterday\n,03/01/2026\n', 'csv', assignment).problems).toEqual([
      [0, ['startTimestamp: write a time such as 2026-03-01 08:30 or 2026-03-01T08:30:00Z']],
      [1, ['startTimestamp: write a time such as 2026-03-01 08:30 or 2026-03-01T08:30:00Z']],
    ]);
    expect(read('startedAt,startTimestamp\n,29.3.2026 03:30\n', 'csv', assignment).problems).toEqual([
      [
        0,
        [
          'startTimestamp: clocks skip this time when daylight saving time begins: write another one, or its offset, such as 2026-03-01T08:30+02:00',
        ],
      ],
    ]);
  });

  test.each([
    ['', 'it is empty. Nothing was sent. The first line names the columns.'],
    [
      'a,b\n1,2\n',
      'none of its columns is an input. Nothing was sent. The first line names the columns, such as id, firstName,',
    ],
    ['phone,Phone\n1,2\n', '"phone" and "Phone" are both phone'],
    [
      'id,phone\n1,2,3\n',
      'the header has 2 columns, and line 2 has 3 cells. Nothing was sent. Put a cell with a delimiter',
    ],
    ['id,phone\n1\n1\n', 'the header has 2 columns, and 2 lines have more or fewer cells'],
    ['id,phone\n1,"2\n\n', 'line 2: a quote opens a cell and none closes it'],
    ['id,phone\n1,2\n1,"2"3\n', 'line 3: text follows the closing quote of a cell'],
  ])('%j is refused', (text, why) => {
    expect(refusal(text)).toContain(why);
  });
});

describe('a file', () => {
  test('may be in the encodings that spreadsheets write', () => {
    const text = 'firstName\nJürgen\n';
    const read = (bytes: Buffer) => decodeInput(bytes).text;
    expect(read(Buffer.from(`\uFEFF${text}`))).toBe(text);
    expect(read(Buffer.from(`\uFEFF${text}`, 'utf16le'))).toBe(text);
    expect(read(Buffer.from(`\uFEFF${text}`, 'utf16le').swap16())).toBe(text);
    expect(read(Buffer.from(text, 'utf16le'))).toBe(text);
    expect(read(Buffer.from(text, 'utf16le').swap16())).toBe(text);
    expect(() => read(Buffer.from([0x50, 0x4b, 3, 4, 0]))).toThrow('it is a workbook or a ZIP archive');
  });

  test.each([
    ['German', 'Jürgen Groß, Äußere Straße 5, 3 m³'],
    ['French', "L'Oréal, L´Hôpital de Besançon, Œuvre n° 3, été"],
    ['Estonian', 'Põlva, Käärkula, Jüri'],
    ['Spanish', 'Muñoz, ¿Dónde?, Plaça Espanya'],
    ['Swedish', 'Malmö – Ålesund, Åkerö'],
    ['capitals', 'MÜNSTER, ÉVRY'],
  ])('that is not UTF-8 is read as Windows-1252: %s', (_, words) => {
    const bytes = Buffer.from(`name\r\n${words}\r\n`.replace('–', '\u0096').replace('Œ', '\u008c'), 'latin1');
    expect(decodeInput(bytes)).toEqual({
      text: `name\r\n${words}\r\n`,
      note: 'The file was read as Windows-1252: line 2 is not UTF-8. If letters are wrong, save it as UTF-8.',
    });
  });

  test('of Estonian in Windows-1252 keeps the letters that Latin-1 lacks', () => {
    expect(decodeInput(Buffer.from('name\n\u009eürii \u009aokk\n', 'latin1')).text).toBe('name\nžürii šokk\n');
  });

  test.each([
    ['a control character', 'J\xfcrgen\x07'],
    ['a code point that Windows-1252 leaves out', 'J\xfcrgen \x81'],
    ['Lithuanian in Windows-1257', '\xd0iauliai, \xdealgiris, Pane\xfe\xebys'],
    ['Russian in Windows-1251', '\xcc\xee\xf1\xea\xe2\xe0, \xe4\xee\xf0\xee\xe3\xe0'],
    ['German in the code page of DOS', 'J\x84ger, M\x94ller'],
    ['German in Mac Roman', 'J\x8ager'],
    ['UTF-8 that is cut within a letter', `Jürgen, Größe, Straße, B\xc3`],
  ])('that is neither UTF-8 nor likely Windows-1252 is refused: %s', (what, words) => {
    const bytes = what.startsWith('UTF-8')
      ? Buffer.from(`name\n${words}`).subarray(0, -1)
      : Buffer.from(`name\n${words}\n`, 'latin1');
    expect(() => decodeInput(bytes)).toThrow('line 2 is not UTF-8');
  });

  test('of XML is read in the encoding that it declares', () => {
    const read = (encoding: string) =>
      decodeInput(
        Buffer.from(`<?xml version="1.0" encoding="${encoding}"?>\n<kml>\xd0iauliai J\xf5gi</kml>`, 'latin1'),
      );
    expect(read('ISO-8859-1')).toEqual({ text: expect.stringContaining('Ðiauliai Jõgi'), note: null });
    expect(read('windows-1252').text).toContain('Ðiauliai Jõgi');
    expect(read('windows-1257').text).toContain('Šiauliai Jõgi');
    expect(() => read('klingon')).toThrow('it declares the encoding "klingon", which is unknown');
  });

  test('tells its format by its name', () => {
    const names = ['a.csv', 'a.TSV', 'a.jsonl', 'a.ndjson', 'a.json', 'a.yml', 'a.txt', '-'];
    expect(names.map(formatOfFile)).toEqual(['csv', 'tsv', 'ndjson', 'ndjson', 'json', 'yaml', null, null]);
  });
});

/** Texts that a cell can hold; an empty cell is omitted. */
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('null', ' a ', '"', 'a,b', 'a;b', 'a\r\nb', '=1', "'", '\t', '[', '-3'),
  )
  .filter((value) => value.trim() !== '' && !/^\d[.,]\d+E\+\d\d+$/.test(value))
  // The quote of --safe-csv cannot be distinguished from a quote in the value.
  .filter((value) => !(value.startsWith("'") && safeText(value.slice(1)) === value));
const rows = fc.array(
  fc
    .record(
      {
        name: text,
        vin: text,
        licensePlate: text,
        year: fc.integer(),
        deactivated: fc.boolean(),
        vehicleTypeId: fc.constantFrom('Van', 'Tail lift', '7'),
        labelIds: fc.array(fc.constantFrom('Leased', 'Tail lift', 'a, b'), { minLength: 1, maxLength: 3 }),
      },
      { requiredKeys: [] },
    )
    .filter((row) => Object.keys(row).length > 0),
  { minLength: 1, maxLength: 5 },
);
const fields = ['name', 'vin', 'licensePlate', 'year', 'deactivated', 'vehicleTypeId', 'labelIds'];

const place = { width: undefined, zone: 'UTC', offset: null, hasZone: false, headers: true };
const options = {
  ...place,
  wide: false,
  colors: colorsFor(new Sink(), {}),
  colorBits: null,
  now: 0,
  note: () => undefined,
  ascii: false,
};

async function printed(format: Format, inputRows: readonly object[], safeCsv = false): Promise<string> {
  let all = '';
  for await (const part of format.rows(inputRows, { columns: [], fields }, { ...options, safeCsv })) all += part;
  return all;
}

describe('what is printed as', () => {
  test.each([false, true])('csv is read as the same inputs, with --safe-csv: %s', async (safeCsv) => {
    await fc.assert(
      fc.asyncProperty(rows, async (inputRows) => {
        const { lines, problems } = read(await printed(csv, inputRows, safeCsv), 'csv', vehicle);
        expect(problems).toEqual([]);
        expect(lines).toEqual(inputRows);
      }),
    );
  });

  test('tsv is read as the same inputs', async () => {
    const plain = (value: unknown) =>
      typeof value !== 'string' ||
      (value === value.trim() && value !== 'null' && !hasControls(value.replace(/[\t\r\n]/g, '')));
    await fc.assert(
      fc.asyncProperty(rows, async (inputRows) => {
        fc.pre(inputRows.every((row) => Object.values(row).every(plain)));
        expect(read(await printed(tsv, inputRows), 'tsv', vehicle).lines).toEqual(inputRows);
      }),
    );
  });

  test.each([
    ['vehicles', 'apply'],
    ['people', 'apply'],
    ['groups', 'apply'],
    ['geofences', 'import'],
  ])('csv by a list, with all fields and in any zone, has no column that is refused: %s %s', async (noun, verb) => {
    const fleet = shellOf('demo', service().fetch);
    for (const flags of [[], ['--time-zone', 'UTC'], ['--time-zone', 'Asia/Kolkata']]) {
      const { stdout: input } = await fleet([noun, 'list', '-o', 'csv', ...flags]);
      const { code, stderr } = await fleet([noun, verb, '-', '--input-format', 'csv', '--dry-run'], { input });
      expect({ code, stderr }).toMatchObject({ code: 0 });
    }
  });

  const assignments = ['drivers', 'assignments', '-o', 'csv'];

  test('csv by the list of all assignments, with names and ids, is an input of drivers apply', async () => {
    const fleet = shellOf('demo', service().fetch);
    const { stdout: input } = await fleet(assignments);
    expect(input).toMatch(/^vehicle,driver,id,vehicleId,driverId,/);
    const { code, stderr } = await fleet(['drivers', 'apply', '-', '--yes', '--input-format', 'csv'], { input });
    expect({ code, stderr }).toMatchObject({ code: 0 });
  });

  test('a name beside an id must be that of the record; either alone is enough', async () => {
    const mock = service();
    const fleet = shellOf('demo', mock.fetch);
    const { stdout } = await fleet([...assignments, '--fields', 'vehicle,vehicleId,driver,driverId']);
    const rows = stdout.trim().split(/\r?\n/);
    const [, van = ''] = rows.find((row) => row.startsWith('Van 01,'))?.split(',') ?? [];
    const title = 'vehicle,vehicleId,driver,driverId,startedAt\n';
    const apply = ['drivers', 'apply', '-', '--input-format', 'csv', '--yes'];
    const other = await fleet(apply, { input: `${title}Van 02,${van},Liis Tamm,,2026-03-04 08:00\n` });
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('line 2: "vehicle" and "vehicleId" are two different vehicles.');
    expect(mock.requests.flatMap(({ operations }) => operations)).not.toContain('assignDriver');
    for (const input of [`Van 01,,Liis Tamm,`, `,${van},Liis Tamm,`]) {
      const { code, stderr } = await fleet([...apply, '--dry-run', '-o', 'json'], {
        input: `${title}${input},2026-03-04 08:00\n`,
      });
      expect({ code, stderr }).toMatchObject({ code: 10 });
    }
  });
});

describe('apply drivers.csv', () => {
  const lines =
    'firstName,lastName,isDriver,team\nAnna,Tamm,yes,A\nJaan,Saar,jaa?,B\nMari,,no,C\n,,,\nUku,Kask,maybe,D\n';
  const words = ['people', 'apply', '-', '--yes', '--input-format', 'csv', '--ignore-columns'];

  test('prints the problems of all lines before anything is sent', () =>
    expectGolden('people-apply.table', words, { code: 2, input: lines }));

  test('sends nothing when a cell is wrong', async () => {
    const mock = service();
    await shellOf('demo', mock.fetch)(words, { input: lines });
    expect(mock.requests).toEqual([]);
  });

  test('without its format is told how to give it', async () => {
    const { code, stderr } = await shellOf('demo', service().fetch)(['people', 'apply', '-', '--yes'], {
      input: lines,
    });
    expect(code).toBe(2);
    expect(stderr).toContain('For a table give --input-format csv or tsv.');
  });

  test('is no --input, which leads to apply', async () => {
    const mock = service();
    const { code, stderr } = await shellOf('demo', mock.fetch)(['people', 'create', '--input', '-'], { input: lines });
    expect({ code, sent: mock.requests }).toEqual({ code: 2, sent: [] });
    expect(stderr).toContain('`fleet people apply people.csv`');
    expect(stderr).not.toContain('--input-format');
  });

  test('that fails is written to --failed as a table, which is the input of the next run', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fleet-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [input, failed] = [join(folder, 'groups.csv'), join(folder, 'again.csv')];
    writeFileSync(input, 'name,parentId,description\nNorth,,"a, b"\nSouth,Long haul,null\n');
    const mock = service();
    const fleet = shellOf('demo', mock.fetch);
    mock.faults.add({ kind: 'graphqlError', times: 2, operation: 'createGroup' });
    expect((await fleet(['groups', 'apply', input, '--yes', '--failed', failed])).code).not.toBe(0);
    expect(readFileSync(failed, 'utf8')).toBe('name,description,parentId\nNorth,"a, b",\nSouth,null,Long haul\n');
    const again = await fleet(['groups', 'apply', failed, '--yes', '-o', 'json']);
    expect(JSON.parse(again.stdout)).toMatchObject([
      { line: 2, status: 'done', name: 'North' },
      { line: 3, status: 'done', name: 'South' },
    ]);
    expect(await jsonOf(fleet, 'groups', 'get', 'North')).toMatchObject({ description: 'a, b' });
  });

  test('may be YAML', async () => {
    const fleet = shellOf('demo', service().fetch);
    const yaml = ['groups', 'apply', '-', '--input-format', 'yaml', '--dry-run', '-o', 'json'];
    const { stdout } = await fleet(yaml, { input: '- name: North\n- name: South\n  description: null\n' });
    expect(JSON.parse(stdout)).toMatchObject([
      { action: 'create', name: 'North' },
      { action: 'create', name: 'South' },
    ]);
    const { code, stderr } = await fleet(yaml, { input: 'name: [geheim\n' });
    expect(code).toBe(2);
    expect(stderr).toContain('it is not YAML');
    expect(stderr).not.toContain('geheim');
  });
});
