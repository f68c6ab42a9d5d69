// The packed tarball, looked at and installed in an empty project: what is in it, what it brings, how much that is.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleCommandLine } from '../../scripts/bundle-command-line.mjs';
import { bundleCommonJs } from '../../scripts/bundle-commonjs.mjs';
import { bundleMap } from '../../scripts/bundle-map.mjs';
import { bundleParquet } from '../../scripts/bundle-parquet.mjs';
import { embedGraphqlRequest } from '../../scripts/embed-graphql-request.mjs';
import { npmCommand } from '../../scripts/npm.mjs';
import { packInto } from '../../scripts/packed.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'fleet-package-'));
const modules = join(project, 'node_modules');
const ours = join(modules, 'fleet-telematics');
const links = ['repository', 'bugs', 'homepage'];
const run = (command: string, args: string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
let packed: string[] = [];

interface Entry {
  readonly types: { readonly require: string; readonly default: string };
  readonly 'module-sync': string;
  readonly require: string;
  readonly default: string;
}
interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly man?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Entry>>;
}
const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

beforeAll(() => {
  // The build is fresh already, so packing needs no scripts.
  const report = packInto(project);
  packed = report.files.map(({ path }) => path);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  run(...npmCommand('install', ...options, report.tarball), project);
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
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'bin',
    'dist',
    'docs',
    'examples',
    'man',
    'package.json',
    'schema.graphql',
  ]);
  expect(packed.filter((path) => /\.test\.|\.ts(?<!\.d\.ts)$|sha256$|\.(webp|svg)$|~$/.test(path))).toEqual([]);
  const entries = Object.keys(manifestIn(ours).exports).filter((name) => !/\.(graphql|json)$/.test(name));
  // What no entry point leads to is not declared: the entry points and what they share.
  expect(packed.filter((path) => path.endsWith('.d.ts'))).toHaveLength(entries.length);
  expect(packed.filter((path) => path.endsWith('.d.cts')).length).toBeLessThan(2 * entries.length + 3);
});

describe('source maps', () => {
  /** The map that a file names, in a line of its own: the bundle of GraphiQL has the word in a text. */
  const mapOf = (path: string) => /^(?:\/\/|\/\*)# sourceMappingURL=(\S+)/m.exec(readFileSync(path, 'utf8'))?.[1];
  const code = () => filesBelow(join(ours, 'dist')).filter((path) => /\.(c?js|css|d\.ts)$/.test(path));
  const isSdk = (path: string) =>
    path.endsWith('.js') && !/dist[\\/](cli|mock|generated|contract|commonjs|map|redis|sync)[\\/]/.test(path);

  test('come with every file of the SDK, and hold its source', () => {
    const sdk = code().filter(isSdk);
    expect(sdk.length).toBeGreaterThan(60);
    for (const path of sdk) {
      expect(mapOf(path), path).toBe(`${basename(path)}.map`);
      const map: { sources: string[]; sourcesContent: (string | null)[] } = JSON.parse(
        readFileSync(`${path}.map`, 'utf8'),
      );
      expect(
        map.sources.filter((source) => !source.startsWith('../')),
        path,
      ).toEqual([]);
      expect(map.sourcesContent.length, path).toBe(map.sources.length);
      expect(map.sourcesContent, path).not.toContain(null);
    }
  });

  test('other files have none, and name none', () => {
    expect(code().filter((path) => !isSdk(path) && mapOf(path) !== undefined)).toEqual([]);
    const maps = filesBelow(join(ours, 'dist')).filter((path) => path.endsWith('.map'));
    expect(maps.map((path) => path.slice(0, -'.map'.length)).sort()).toEqual([...code().filter(isSdk)].sort());
  });

  test('stacks show the lines of the source', () => {
    const script =
      "import { FleetClient } from 'fleet-telematics'; try { new FleetClient({}) } catch (error) { console.log(error.stack) }";
    const options = ['--enable-source-maps', '--input-type=module', '--eval', script];
    const [, line = ''] = /client-options\.ts:(\d+)/.exec(run(process.execPath, options, project)) ?? [];
    const source = readFileSync(join(root, 'src/client-options.ts'), 'utf8').split('\n');
    expect(source[Number(line) - 1]).toMatch(/new InvalidInputError|Problem\(/);
  });
});

test('every relative link of its documents leads to a file that is in it, or to one that a release finds in the repository', () => {
  const pages = packed.filter((path) => path.endsWith('.md'));
  const dead = pages.flatMap((page) => {
    const text = readFileSync(join(ours, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
    return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^(https?:|mailto:|#)/.test(target))
      .map((target) => posix.join(posix.dirname(page), target.replace(/#.*$/, '')))
      .filter((path) => !existsSync(join(ours, path)) && !existsSync(join(root, path)))
      .map((path) => `${page} -> ${path}`);
  });
  expect(dead).toEqual([]);
});

test('leads to no place that does not exist', () => {
  // The tarball of a release leads to its repository; the next test has one.
  if (process.env.FLEET_TARBALL !== undefined) return;
  expect(Object.keys(manifestIn(ours)).filter((key) => links.includes(key))).toEqual([]);
});

test('the tarball of a release leads to its repository, on npm too, which shows the README alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-release-'));
  const page = 'https://github.com/owner/project';
  const { tarball: released } = packInto(folder, { page, tag: 'v1.2.0' });
  run('tar', ['xzf', released], folder);
  const text = (path: string) => readFileSync(join(folder, 'package', path), 'utf8');
  expect(JSON.parse(text('package.json'))).toEqual({
    ...manifestIn(ours),
    repository: { type: 'git', url: `git+${page}.git` },
    bugs: `${page}/issues`,
    homepage: `${page}#readme`,
  });
  const targets = [...text('README.md').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  expect(targets.filter((target) => !/^(https:|mailto:|#)/.test(target))).toEqual([]);
  const files = targets.flatMap((target) => target.match(/^https:.*\/v1\.2\.0\/([^?#]+)/)?.[1] ?? []);
  expect(files).toContain('docs/terminal.svg');
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(text('README.md')).toContain(`![`);
  expect(targets).toContain(`${page}/raw/v1.2.0/docs/terminal.svg?sanitize=true`);
  expect(text('docs/map.md')).toContain(`${page}/raw/v1.2.0/docs/map-day.webp`);
  rmSync(folder, { recursive: true });
});

test('every entry has its types beside it', () => {
  const entries = Object.entries(manifestIn(ours).exports);
  expect(entries.map(([name]) => name)).toEqual([
    '.',
    './mock',
    './mock/msw',
    './redis',
    './otel',
    './schema',
    './tracks',
    './sync',
    './sync/target',
    './schema.graphql',
    './package.json',
  ]);
  for (const [, target] of entries) {
    const files =
      typeof target === 'string' ? [target] : [...Object.values(target.types), target.require, target.default];
    for (const file of files) expect(existsSync(join(ours, file)), file).toBe(true);
    // The first condition that fits is taken. Every supported Node knows `module-sync`, so it never loads the CommonJS files.
    if (typeof target !== 'string') {
      expect(Object.keys(target)).toEqual(['types', 'module-sync', 'require', 'default']);
      expect(target['module-sync']).toBe(target.default);
      expect(target.types).toEqual({
        require: target.require.replace(/cjs$/, 'd.cts'),
        default: target.default.replace(/js$/, 'd.ts'),
      });
    }
  }
});

test('installed with its dependencies it stays half a megabyte under 15 MB, runs no script and needs no compiler', () => {
  const files = filesBelow(modules);
  const size = files.reduce((sum, path) => sum + statSync(path).size, 0);
  expect(size).toBeLessThan(14_500_000);
  // A file more or less is nothing; this notices a dependency that came along.
  const packages = files.filter((path) =>
    /node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(path.replaceAll('\\', '/')),
  );
  expect(packages.length).toBeLessThanOrEqual(12);
  expect(files.filter((path) => /\.node$|[\\/]binding\.gyp$|\.(so|dylib|dll)$/.test(path))).toEqual([]);
  const scripted = packages.filter((path) => {
    const { scripts = {} } = JSON.parse(readFileSync(path, 'utf8')) as Manifest; // npm's own file
    // npm runs `prepare` only in clones, but audits list it with the others.
    const names = path.startsWith(ours) ? Object.keys(scripts) : ['preinstall', 'install', 'postinstall'];
    return names.some((name) => name in scripts);
  });
  expect(scripted).toEqual([]);
});

test('its manifest has what users need and nothing for developers of the package', () => {
  const published = Object.keys(manifestIn(ours)).filter((name) => !links.includes(name));
  const own = Object.keys(manifestIn(root));
  expect(published).toEqual(
    own.filter((name) => !['private', 'scripts', 'devDependencies', 'overrides', 'allowScripts'].includes(name)),
  );
  expect(manifestIn(ours).man).toEqual(['./man/fleet.1']);
});

test('npm finds the installed tree sound, without the optional peer and without what is bundled', () => {
  expect(run(...npmCommand('ls', '--all'), project)).not.toMatch(/missing|invalid|extraneous/i);
  expect(readdirSync(modules)).not.toContain('msw');
  expect(readdirSync(modules)).not.toContain('commander');
  expect(readdirSync(modules)).not.toContain('graphql-request');
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
    { name: 'ES modules', bundle: embedGraphqlRequest, licenses: 'dist/request/licenses.txt', least: 1 },
    { name: 'CommonJS files', bundle: bundleCommonJs, licenses: 'dist/commonjs/licenses.txt' },
    { name: 'Parquet files', bundle: bundleParquet, licenses: 'dist/sync/parquet/licenses.txt', least: 2 },
    { name: 'map page', bundle: bundleMap, licenses: 'dist/map/licenses.txt', least: 1 },
  ];
  /** The packages of a file of licences in the installed package. */
  const packagesIn = (licenses: string) => {
    const text = readFileSync(join(ours, licenses), 'utf8');
    const heads = [...text.matchAll(/(?:^|\n-{80}\n\n)(\S+) \d\S* \([^)]+\)\n\n.{10}/g)].map(([, head]) => head);
    return [...new Set(heads)].sort();
  };
  /** The packages that docs/dependencies.md lists for a bundle. */
  const documented = (name: string) => {
    const docs = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');
    const [, section = ''] = new RegExp(`^### In the ${name}\n([^#]*)`, 'm').exec(docs) ?? [];
    return [...section.matchAll(/`([^`]+)`/g)].map(([, named]) => named).sort();
  };

  test('the licences of what is compiled into jq-wasm are there, for the jq that is in it', () => {
    const text = readFileSync(join(ours, 'dist/cli/licenses.txt'), 'utf8');
    for (const author of [
      'Stephen Dolan',
      'Lucent',
      'International Business Machines',
      'K.Kosako',
      'Rich Felker',
      'Emscripten',
    ])
      expect(text).toContain(author);
    // Another jq has other parts: look at its COPYING, and bring scripts/licenses-in-jq-wasm.txt up to date.
    const [, version] = /^Compiled into jq-wasm: jq (\S+)/m.exec(text) ?? [];
    const code = brotliDecompressSync(readFileSync(join(ours, 'dist/cli/bundle/jq-wasm.cjs.br'))).toString();
    const [, program = ''] = /base64,([A-Za-z\d+/=]{100000,})/.exec(code) ?? [];
    const names = Buffer.from(program, 'base64').toString('latin1').split('\0');
    expect(names.map((name) => name.replace(/-dirty$/, ''))).toContain(version);
  });

  test.each(bundles)(
    'the package of the $name holds the licence of all that is bundled, and docs/dependencies.md names it',
    async ({ name, bundle, licenses, least = 4 }) => {
      const scratch = mkdtempSync(join(tmpdir(), 'fleet-bundle-'));
      const { outputs } = await bundle(scratch);
      rmSync(scratch, { recursive: true });
      const files = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
      const found = files.flatMap(([path, { bytesInOutput }]) => {
        const [, bundled = ''] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
        return bundled === '' || bytesInOutput === 0 ? [] : [bundled];
      });
      const expected = [...new Set(found)].sort();
      expect(expected.length).toBeGreaterThanOrEqual(least);

      expect(packagesIn(licenses)).toEqual(expected);
      expect(documented(name)).toEqual(expected);
    },
  );

  test('docs/dependencies.md names what is in the GraphiQL page; the nightly check of graphiql/ compares its licences', () => {
    const expected = packagesIn('dist/mock/graphiql/assets/licenses.txt');
    expect(expected.length).toBeGreaterThan(4);
    expect(documented('GraphiQL page')).toEqual(expected);
  });
});
