// The structure of src/: no import circles, and imports between rooms only as in ARCHITECTURE.md.
// Reads every import, including type and dynamic imports.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));

/** Allowed imports by room. Any room may import the generated code in src/generated. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  core: [],
  contract: ['core'],
  locks: ['core'],
  transport: ['core'],
  auth: ['core', 'locks', 'transport'],
  rows: ['core', 'transport'],
  request: ['core', 'contract', 'locks', 'transport', 'auth', 'rows'],
  telemetry: ['core', 'contract', 'request', 'rows'],
  lists: ['core', 'contract', 'transport', 'request', 'rows'],
  client: ['core', 'contract', 'locks', 'transport', 'auth', 'rows', 'request', 'telemetry', 'lists'],
  redis: ['core', 'locks', 'auth'],
  otel: ['core', 'client'],
  kit: ['core', 'contract', 'locks', 'request', 'telemetry', 'client', 'cli'],
  cli: ['core', 'contract', 'locks', 'transport', 'auth', 'rows', 'request', 'telemetry', 'redis', 'client', 'mock'],
  mock: [],
};

/** The rooms of src/cli from top to bottom: a room may import only the rooms below it. */
const cliRooms = [
  ...[
    'run',
    'commands',
    'hints',
    'completion',
    'doctor',
    'reports',
    'watch',
    'live',
    'plan',
    'find',
    'places',
    'input',
  ],
  ...[
    'journal',
    'api',
    'connection',
    'config',
    'prompt',
    'shape',
    'records',
    'geofences',
    'views',
    'parse',
    'context',
    'output',
    'time',
    'packages',
    'errors',
    'help',
    'io',
  ],
];

/**
 * The rooms of src/mock from top to bottom. HTTP answers requests with GraphiQL, the control
 * endpoints, the login endpoints and GraphQL. GraphQL reads reports and the store; the world builds
 * the store's records; scripts define the vehicles' messages. Variants are rules that change the
 * answers of the rooms above; telemetry knows no records. Files outside of a room, such as
 * service.ts, may import all of them.
 */
const mockRooms = [
  ...[
    'http',
    'graphiql',
    'control',
    'auth',
    'graphql',
    'reports',
    'world',
    'script',
    'variants',
    'store',
    'telemetry',
    'core',
  ],
];

const roomsInside: Readonly<Record<string, readonly string[]>> = { cli: cliRooms, mock: mockRooms };

/** The packages with their entry points. The command line loads the command of each by its name. */
const packages: Readonly<Record<string, readonly string[]>> = {
  'fleet-telematics': ['.', './kit', './kit/command', './mock', './schema', './tracks'],
  'fleet-telematics-map': [],
  'fleet-telematics-mcp': [],
  'fleet-telematics-sync': ['./copy'],
};

const mayImportPackages: Readonly<Record<string, readonly string[]>> = {
  map: ['fleet-telematics'],
  mcp: ['fleet-telematics', 'fleet-telematics-sync'],
  sync: ['fleet-telematics'],
};

/** Returns the imports of each file within a folder. */
function importGraph(folder: string): ReadonlyMap<string, readonly string[]> {
  const own = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file));
  return new Map(
    own.map((file) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(join(folder, file), 'utf8'), true, true);
      const targets = importedFiles
        .filter(({ fileName }) => fileName.startsWith('.'))
        .map(({ fileName }) => relative(folder, join(folder, dirname(file), fileName)).replaceAll('\\', '/'))
        .map((target) => target.replace(/\.js$/, '.ts'));
      return [file, [...new Set(targets)].filter((target) => own.includes(target))];
    }),
  );
}

const imports = importGraph(src);
const files = [...imports.keys()];

function roomOf(file: string): string {
  const [room = ''] = file.split('/');
  return file.includes('/') ? room : 'client';
}

function innerRoomOf(file: string): string {
  const [, room = ''] = file.split('/');
  return room.replace(/\.ts$/, '');
}

const edges = [...imports].flatMap(([file, targets]) => targets.map((target) => ({ file, target })));

function isAllowed({ file, target }: { readonly file: string; readonly target: string }): boolean {
  const [from, to] = [roomOf(file), roomOf(target)];
  if (to === 'generated' || from === 'generated') return true;
  if (from !== to) return mayImport[from]?.includes(to) ?? false;
  const rooms = roomsInside[from];
  if (rooms === undefined) return true;
  // A file outside of the inner rooms has the index -1, above all of them.
  return rooms.indexOf(innerRoomOf(file)) <= rooms.indexOf(innerRoomOf(target));
}

/** Returns groups of files that import each other, directly or indirectly (Tarjan's algorithm). */
function circles(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const order = new Map<string, number>();
  const stack: string[] = [];
  const found: string[] = [];
  const visit = (file: string): number => {
    const index = order.size;
    order.set(file, index);
    let low = index;
    stack.push(file);
    for (const target of graph.get(file) ?? []) {
      if (roomOf(target) === 'generated') continue;
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (stack.includes(target)) low = Math.min(low, order.get(target) ?? low);
    }
    if (low === index) {
      const members = stack.splice(stack.indexOf(file));
      if (members.length > 1 || graph.get(file)?.includes(file)) found.push(members.sort().join(' '));
    }
    return low;
  };
  for (const file of graph.keys()) if (!order.has(file) && roomOf(file) !== 'generated') visit(file);
  return found.sort();
}

test('the imports are read: static, type-only and dynamic ones', () => {
  expect(imports.get('cli/run/program.ts')).toEqual(
    expect.arrayContaining(['cli/run/registry.ts', 'cli/context/context.ts', 'cli/completion/answer.ts']),
  );
  expect(edges.length).toBeGreaterThan(1_000);
});

test('no file imports itself, directly or through others', () => {
  const folders = [src, ...Object.keys(mayImportPackages).map((name) => join(src, `../packages/${name}/src`))];
  expect(folders.flatMap((folder) => circles(importGraph(folder)))).toEqual([]);
});

test('flags are read by the parser: nothing searches the words of the command line', () => {
  const searches = files
    .filter((file) => roomOf(file) === 'cli')
    .flatMap((file) =>
      [
        ...readFileSync(join(src, file), 'utf8').matchAll(
          /\b(?:argv|words)\b\??\.(?:includes|indexOf|some|find\w*)\(.*/g,
        ),
      ].map(([search]) => `${file}: ${search}`),
    );
  expect(searches).toEqual([]);
  // Version and help are handled before a parser is loaded. Completion reads incomplete words.
  const raw = files.filter((file) => {
    const isRead = roomOf(file) === 'cli' && innerRoomOf(file) !== 'completion';
    return isRead && /=== '-{1,2}\w[\w-]*'/.test(readFileSync(join(src, file), 'utf8'));
  });
  expect(raw.sort()).toEqual(['cli/run/main.ts', 'cli/run/prebuilt-help.ts']);
});

describe('packages', () => {
  const root = join(src, '..');
  const importsIn = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|cjs|mjs|js)$/.test(file))
      .flatMap((file) => {
        const { importedFiles } = ts.preProcessFile(readFileSync(join(root, folder, file), 'utf8'), true, true);
        return importedFiles.map(({ fileName }) => ({ file: `${folder}/${file.replaceAll('\\', '/')}`, fileName }));
      });
  const isInside = (folder: string, { file, fileName }: { readonly file: string; readonly fileName: string }) =>
    !relative(folder, join(dirname(file), fileName)).startsWith('..');

  test.each(Object.entries(mayImportPackages))('%s imports entry points only', (name, allowed) => {
    const folder = `packages/${name}/src`;
    const found = importsIn(folder);
    expect(found.some(({ fileName }) => fileName.startsWith('fleet-telematics'))).toBe(true);
    const entries = allowed.flatMap((one) => (packages[one] ?? []).map((entry) => posix.join(one, entry)));
    const isAllowedImport = ({ file, fileName }: (typeof found)[number]) => {
      if (fileName.startsWith('.')) return isInside(folder, { file, fileName });
      return !fileName.startsWith('fleet-telematics') || entries.includes(fileName);
    };
    expect(found.filter((one) => !isAllowedImport(one))).toEqual([]);
  });

  test('every entry point of a package that another one imports is in its manifest', () => {
    for (const [name, entries] of Object.entries(packages)) {
      const folder = name === 'fleet-telematics' ? '.' : `packages/${name.replace('fleet-telematics-', '')}`;
      const { exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      expect(Object.keys(exports)).toEqual(expect.arrayContaining([...entries]));
    }
  });

  test('the core imports none of them', () => {
    const folders = ['src', 'bin'];
    const found = folders.flatMap((folder) => importsIn(folder).filter((one) => !one.fileName.startsWith('node:')));
    expect(found.length).toBeGreaterThan(1_000);
    const outside = found.filter(
      ({ file, fileName }) =>
        fileName.startsWith('fleet-telematics') ||
        (fileName.startsWith('.') && /(^|\/)packages\/(map|mcp|sync)\//.test(posix.join(dirname(file), fileName))),
    );
    expect(outside).toEqual([]);
  });

  test('nothing but the kit gives away the command line', () => {
    const users = edges.filter(({ file, target }) => roomOf(target) === 'cli' && roomOf(file) !== 'cli');
    expect([...new Set(users.map(({ file }) => file))]).toEqual(['kit/command.ts']);
  });
});

test('time limits are those of core/time-limit: the signal of AbortSignal.timeout may be garbage-collected', () => {
  const timed = files.filter((file) => /\bAbortSignal\.timeout\(/.test(readFileSync(join(src, file), 'utf8')));
  // It listens to the signal itself, which holds it.
  expect(timed.filter((file) => file !== 'locks/lease.ts')).toEqual([]);
});

describe('imports between rooms', () => {
  test('every file of src/ is in a room of the table', () => {
    const rooms = new Set(files.map(roomOf));
    expect([...rooms].filter((room) => room !== 'generated' && !(room in mayImport))).toEqual([]);
    const roomsOfCli = new Set(files.filter((file) => roomOf(file) === 'cli').map(innerRoomOf));
    expect([...roomsOfCli].filter((room) => !cliRooms.includes(room))).toEqual([]);
    const roomsOfMock = new Set(files.filter((file) => /^mock\/.+\//.test(file)).map(innerRoomOf));
    expect([...roomsOfMock].sort()).toEqual([...mockRooms].sort());
  });

  test('every room is named in ARCHITECTURE.md or docs/internals.md', () => {
    const text = readFileSync(join(src, '../ARCHITECTURE.md'), 'utf8');
    const details = readFileSync(join(src, '../docs/internals.md'), 'utf8');
    const [, ofCli = ''] = details.split('## The command line');
    const [, ofMock = ''] = details.split('## The reference service');
    const missing = [
      ...Object.keys(mayImport).filter((room) => room !== 'client' && !text.includes(`\n  ${room}/ `)),
      ...cliRooms.filter((room) => !ofCli.includes(`\`${room}\``)),
      ...mockRooms.filter((room) => !ofMock.includes(`\`${room}\``)),
    ];
    expect(missing).toEqual([]);
  });

  test('what is written twice on purpose is what docs/internals.md says', () => {
    const root = join(src, '..');
    const [, apart = ''] = readFileSync(join(root, 'docs/internals.md'), 'utf8').split('## Apart on purpose');
    const [table = ''] = apart.split('\n## ');
    const rows = table.split('\n').filter((line) => /^\| [a-z]/i.test(line) && line.includes('`'));
    const filesOf = (concept: string) =>
      [...(rows.find((row) => row.startsWith(`| ${concept} |`)) ?? '').matchAll(/`([^`]+\.[jt]s)`/g)].map(
        ([, file = '']) => file,
      );
    expect(
      rows
        .flatMap((row) => filesOf(row.split(' | ')[0]?.slice(2) ?? ''))
        .filter((file) => !existsSync(join(root, file))),
    ).toEqual([]);
    // Code that shows a second implementation of the concept.
    const signs = { 'great circles': /\b6_?37[18]_?\d{3}/, 'durations as text': /name: 'min'|\} min`/ };
    for (const [concept, sign] of Object.entries(signs)) {
      const found = files
        .filter((file) => sign.test(readFileSync(join(src, file), 'utf8')))
        .map((file) => `src/${file}`);
      expect({ concept, extra: found.filter((file) => !filesOf(concept).includes(file)) }).toEqual({
        concept,
        extra: [],
      });
    }
  });

  test('go only in the directions of the table', () => {
    const violations = edges.filter((edge) => !isAllowed(edge)).map(({ file, target }) => `${file} -> ${target}`);
    expect(violations.sort()).toEqual([]);
  });
});
