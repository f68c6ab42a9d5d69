// The packed tarball, looked at and installed in an empty project: what is in it, what it brings, how much that is.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleCommandLine } from '../../scripts/bundle-command-line.mjs';
import { bundleGraphiql } from '../../scripts/bundle-graphiql.mjs';
import { packInto } from '../../scripts/packed.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'fleet-package-'));
const modules = join(project, 'node_modules');
const ours = join(modules, 'fleet-telematics');
const tool = (name: string) => join(root, 'node_modules/.bin', name);
const run = (command: string, args: string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
let tarball = '';
let packed: string[] = [];

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}
const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

beforeAll(() => {
  // The build is fresh already, so packing needs no scripts.
  ({ tarball, files: packed } = packInto(project));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  run('npm', ['install', ...options, tarball], project);
}, 180_000);

afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Every file below a folder, with slashes. */
function filesBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

test('holds what users need and nothing else', () => {
  const tops = new Set(packed.map((path) => path.split('/')[0]));
  expect([...tops].sort()).toEqual([
    'ARCHITECTURE.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'bench',
    'bin',
    'dist',
    'docs',
    'examples',
    'man',
    'package.json',
    'schema.graphql',
  ]);
  expect(packed.filter((path) => path.startsWith('bench/')).sort()).toEqual([
    'bench/README.md',
    'bench/RESULTS.md',
    'bench/SERVICE.md',
    'bench/TRIPS.md',
  ]);
  expect(packed.filter((path) => /\.map$|\.test\.|\.ts(?<!\.d\.ts)$|sha256$|~$/.test(path))).toEqual([]);
});

test('no file names a source map: there are none', () => {
  const code = filesBelow(join(ours, 'dist')).filter((path) => /\.(js|css|d\.ts)$/.test(path));
  expect(code.length).toBeGreaterThan(100);
  // In a line of its own; the bundle of GraphiQL has the word in a text.
  expect(code.filter((path) => /^(\/\/|\/\*)# sourceMappingURL=/m.test(readFileSync(path, 'utf8')))).toEqual([]);
});

test('every relative link of its documents leads to a file that is in it', () => {
  const pages = packed.filter((path) => path.endsWith('.md'));
  const dead = pages.flatMap((page) => {
    const text = readFileSync(join(ours, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
    return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^(https?:|mailto:|#)/.test(target))
      .map((target) => posix.join(posix.dirname(page), target.replace(/#.*$/, '')))
      .filter((path) => !existsSync(join(ours, path)))
      .map((path) => `${page} -> ${path}`);
  });
  expect(dead).toEqual([]);
});

test('every entry has its types beside it', () => {
  const entries = Object.entries(manifestIn(ours).exports);
  expect(entries.map(([name]) => name)).toEqual(['.', './mock', './mock/msw', './schema.graphql', './package.json']);
  for (const [, target] of entries) {
    const files = typeof target === 'string' ? [target] : Object.values(target);
    for (const file of files) expect(existsSync(join(ours, file)), file).toBe(true);
    // Types first: the first condition that fits is taken.
    if (typeof target !== 'string') expect(Object.keys(target)).toEqual(['types', 'default']);
  }
});

test('publint and Are The Types Wrong find nothing', () => {
  expect(run(tool('publint'), ['run', tarball, '--strict'], root)).toContain('All good!');
  // The package is ES modules alone. What the profile leaves out is resolution as it was before `exports`, which knows no
  // entry points, and the remark that `require()` meets an ES module: every Node the package is promised for can load it.
  const attw = [
    '--profile',
    'esm-only',
    '--exclude-entrypoints',
    './schema.graphql',
    '--format',
    'ascii',
    '--no-emoji',
  ];
  const found = run(tool('attw'), [tarball, ...attw], root);
  expect(found.match(/node16 \(from ESM\): OK \(ESM\)/g)).toHaveLength(3);
  expect(found.match(/bundler: OK *$/gm)).toHaveLength(3);
});

test('installed with its dependencies it stays under 15 MB, runs no script and needs no compiler', () => {
  const files = filesBelow(modules);
  const size = files.reduce((sum, path) => sum + statSync(path).size, 0);
  expect(size).toBeLessThan(15_000_000);
  // A file more or less is nothing; this notices a dependency that came along.
  const packages = files.filter((path) =>
    /node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(path.replaceAll('\\', '/')),
  );
  expect(packages.length).toBeLessThanOrEqual(30);
  expect(files.filter((path) => /\.node$|[\\/]binding\.gyp$|\.(so|dylib|dll|wasm)$/.test(path))).toEqual([]);
  const scripted = packages.filter((path) => {
    const { scripts = {} } = JSON.parse(readFileSync(path, 'utf8')) as Manifest; // npm's own file
    return ['preinstall', 'install', 'postinstall'].some((name) => name in scripts);
  });
  expect(scripted).toEqual([]);
});

test('npm finds the installed tree sound, without the optional peer and without what is bundled', () => {
  expect(run('npm', ['ls', '--all'], project)).not.toMatch(/missing|invalid|extraneous/i);
  expect(readdirSync(modules)).not.toContain('msw');
  expect(readdirSync(modules)).not.toContain('commander');
});

test('the installed command line runs, and its manual is where npm looks for it', () => {
  const fleet = join(modules, '.bin/fleet');
  expect(run(fleet, ['--version'], project)).toMatch(/^\d+\.\d+\.\d+\n$/);
  const rows: unknown[] = JSON.parse(run(fleet, ['vehicles', 'list', '--demo', '-o', 'json'], project));
  expect(rows).toHaveLength(25);
  expect(packed).toContain('man/fleet.1');
});

test('docs/dependencies.md accounts for every dependency, in the version that is installed', () => {
  const text = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `([^`]+)` \| ([\d.]+) \|/gm)].map(([, name, version]) => [name, version]);
  expect(Object.fromEntries(rows)).toEqual(manifestIn(ours).dependencies);
});

describe('what is bundled', () => {
  const bundles = [
    { name: 'command line', bundle: bundleCommandLine, licenses: 'dist/cli/licenses.txt' },
    { name: 'GraphiQL page', bundle: bundleGraphiql, licenses: 'dist/mock/graphiql/assets/licenses.txt' },
  ];
  test.each(bundles)(
    'the package of the $name holds the licence of all that is bundled, and docs/dependencies.md names it',
    async ({ name, bundle, licenses }) => {
      const scratch = mkdtempSync(join(tmpdir(), 'fleet-bundle-'));
      const { outputs } = await bundle(scratch);
      rmSync(scratch, { recursive: true });
      const files = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
      const found = files.flatMap(([path, { bytesInOutput }]) => {
        const [, bundled = ''] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
        return bundled === '' || bytesInOutput === 0 ? [] : [bundled];
      });
      const expected = [...new Set(found)].sort();
      expect(expected.length).toBeGreaterThan(10);

      const text = readFileSync(join(ours, licenses), 'utf8');
      const heads = [...text.matchAll(/(?:^|\n-{80}\n\n)(\S+) \d\S* \([^)]+\)\n\n.{10}/g)].map(([, head]) => head);
      expect([...new Set(heads)].sort()).toEqual(expected);

      const docs = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');
      const [, section = ''] = new RegExp(`^### In the ${name}\n([^#]*)`, 'm').exec(docs) ?? [];
      expect([...section.matchAll(/`([^`]+)`/g)].map(([, named]) => named).sort()).toEqual(expected);
    },
  );
});
