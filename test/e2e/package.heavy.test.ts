// The packed tarballs, inspected and installed: their files, dependencies and sizes.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleCommandLine } from '../../scripts/bundle-command-line.mjs';
import { bundleLibrary } from '../../scripts/bundle-library.mjs';
import { bundleMap } from '../../scripts/bundle-map.mjs';
import { bundlePackage } from '../../scripts/bundle-packages.mjs';
import { bundleParquet } from '../../scripts/bundle-parquet.mjs';
import { type PackageName, packageFolders, packageNames } from '../../scripts/manifest.mjs';
import { npmCommand } from '../../scripts/npm.mjs';
import { packInto } from '../../scripts/packed.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'fleet-package-'));
/** A project with the core alone, or with one other package and the core. */
const projectOf = (name: PackageName) => join(scratch, name);
const project = projectOf('fleet-telematics');
const modules = join(project, 'node_modules');
const installed = (name: PackageName) => join(projectOf(name), 'node_modules', name);
const ours = installed('fleet-telematics');
const links = ['repository', 'bugs', 'homepage'];
const run = (command: string, args: string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
let packed: ReturnType<typeof packInto>;
const pathsOf = (name: PackageName) => packed[name].files.map(({ path }) => path);

interface Entry {
  readonly types: { readonly require: string; readonly default: string };
  readonly 'module-sync': string;
  readonly require: string;
  readonly default: string;
}
interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly man?: readonly string[];
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Entry>>;
}
const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

beforeAll(() => {
  // The build is fresh already, so packing needs no scripts.
  packed = packInto(join(scratch, 'packed'));
  for (const name of packageNames) {
    const cwd = projectOf(name);
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
    const tarballs = [...new Set<PackageName>(['fleet-telematics', name])].map((one) => packed[one].tarball);
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
    run(...npmCommand('install', ...options, ...tarballs), cwd);
  }
}, 300_000);

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function filesBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

test('holds what users need and nothing else', () => {
  const topsOf = (name: PackageName) => [...new Set(pathsOf(name).map((path) => path.split('/')[0]))].sort();
  expect(topsOf('fleet-telematics')).toEqual([
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
  expect(topsOf('fleet-telematics-sync')).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
  expect(topsOf('fleet-telematics-map')).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
  expect(topsOf('fleet-telematics-mcp')).toEqual(['LICENSE', 'README.md', 'bin', 'dist', 'package.json']);
  for (const name of packageNames) {
    const paths = pathsOf(name);
    expect(paths.filter((path) => /\.test\.|\.ts(?<!\.d\.ts)$|sha256$|\.(webp|svg)$|~$/.test(path))).toEqual([]);
    expect(readFileSync(join(installed(name), 'LICENSE'), 'utf8')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
    const entries = Object.values(manifestIn(installed(name)).exports).filter((entry) => typeof entry !== 'string');
    // Only the entry points and their shared files are declared.
    expect(paths.filter((path) => path.endsWith('.d.ts'))).toHaveLength(entries.length);
    expect(paths.filter((path) => path.endsWith('.d.cts')).length).toBeLessThanOrEqual(2 * entries.length + 2);
  }
});

describe('source maps', () => {
  /**
   * Returns the source map of a file. Only a whole line counts: GraphiQL has the word in a text.
   */
  const mapOf = (path: string) => /^(?:\/\/|\/\*)# sourceMappingURL=(\S+)/m.exec(readFileSync(path, 'utf8'))?.[1];
  const libraries = [
    { name: 'fleet-telematics', least: 20, without: /dist[\\/](cli|commonjs|mock|esm[\\/](mock|redis))[\\/]/ },
    { name: 'fleet-telematics-sync', least: 1, without: /dist[\\/](command|commonjs|esm[\\/]hyparquet)[\\/.]/ },
  ] as const;
  const codeOf = (name: PackageName) =>
    filesBelow(join(installed(name), 'dist')).filter((path) => /\.(c?js|css|d\.ts)$/.test(path));
  const mapped = ({ name, without }: (typeof libraries)[number]) =>
    codeOf(name).filter((path) => path.endsWith('.js') && !without.test(path));

  test.each(libraries)('come with every file of the library of $name, and hold its source', (library) => {
    const files = mapped(library);
    expect(files.length).toBeGreaterThan(library.least);
    for (const path of files) {
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
    const withMaps = libraries.flatMap(mapped).sort();
    const all = packageNames.flatMap(codeOf);
    expect(all.filter((path) => !withMaps.includes(path) && mapOf(path) !== undefined)).toEqual([]);
    const maps = packageNames.flatMap((name) => filesBelow(installed(name))).filter((path) => path.endsWith('.map'));
    expect(maps.map((path) => path.slice(0, -'.map'.length)).sort()).toEqual(withMaps);
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

test.each(packageNames)(
  'every relative link of the documents of %s leads to a file that is in it, or to one that a release finds in the repository',
  (name) => {
    const pages = pathsOf(name).filter((path) => path.endsWith('.md'));
    expect(pages).toContain('README.md');
    const dead = pages.flatMap((page) => {
      const text = readFileSync(join(installed(name), page), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
      return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !/^(https?:|mailto:|#)/.test(target))
        .map((target) => posix.join(posix.dirname(page), target.replace(/#.*$/, '')))
        .filter(
          (path) => !existsSync(join(installed(name), path)) && !existsSync(join(root, packageFolders[name], path)),
        )
        .map((path) => `${page} -> ${path}`);
    });
    expect(dead).toEqual([]);
  },
);

test('leads to no place that does not exist', () => {
  // The tarball of a release has repository links; the next test checks them.
  if (process.env.FLEET_TARBALLS !== undefined) return;
  const manifests = packageNames.map((name) => manifestIn(installed(name)));
  expect(manifests.flatMap((manifest) => Object.keys(manifest).filter((key) => links.includes(key)))).toEqual([]);
});

test('the tarballs of a release lead to their repository, on npm too, which shows the README alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-release-'));
  const page = 'https://github.com/owner/project';
  const released = packInto(folder, { page, tag: 'v1.2.0' });
  for (const name of packageNames) {
    mkdirSync(join(folder, name));
    run('tar', ['xzf', released[name].tarball], join(folder, name));
  }
  const text = (name: PackageName, path: string) => readFileSync(join(folder, name, 'package', path), 'utf8');
  const url = `git+${page}.git`;
  expect(JSON.parse(text('fleet-telematics', 'package.json'))).toEqual({
    ...manifestIn(ours),
    repository: { type: 'git', url },
    bugs: `${page}/issues`,
    homepage: `${page}#readme`,
  });
  expect(JSON.parse(text('fleet-telematics-map', 'package.json'))).toMatchObject({
    repository: { type: 'git', url, directory: 'packages/map' },
    homepage: `${page}/tree/v1.2.0/packages/map#readme`,
  });
  const targetsOf = (name: PackageName) =>
    [...text(name, 'README.md').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const targets = packageNames.flatMap(targetsOf);
  expect(targets.filter((target) => !/^(https:|mailto:|#)/.test(target))).toEqual([]);
  const files = targets.flatMap((target) => target.match(/^https:.*\/v1\.2\.0\/([^?#]+)/)?.[1] ?? []);
  expect(files).toEqual(expect.arrayContaining(['docs/terminal.svg', 'docs/sync.md', 'docs/map.md', 'docs/mcp.md']));
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(text('fleet-telematics', 'README.md')).toContain(`![`);
  expect(targetsOf('fleet-telematics')).toContain(`${page}/raw/v1.2.0/docs/terminal.svg?sanitize=true`);
  expect(text('fleet-telematics', 'docs/telemetry.md')).toContain(`${page}/blob/v1.2.0/docs/sync.md`);
  rmSync(folder, { recursive: true });
});

const entriesOf: Readonly<Record<PackageName, readonly string[]>> = {
  'fleet-telematics': [
    '.',
    './mock',
    './mock/msw',
    './redis',
    './otel',
    './schema',
    './tracks',
    './kit',
    './kit/command',
    './schema.graphql',
    './package.json',
  ],
  'fleet-telematics-sync': ['.', './target', './copy', './command', './package.json'],
  'fleet-telematics-map': ['./command', './package.json'],
  'fleet-telematics-mcp': ['./command', './package.json'],
};

test.each(packageNames)('every entry of %s has its types beside it', (name) => {
  const entries = Object.entries(manifestIn(installed(name)).exports);
  expect(entries.map(([entry]) => entry)).toEqual(entriesOf[name]);
  for (const [, target] of entries) {
    const files =
      typeof target === 'string' ? [target] : [...Object.values(target.types), target.require, target.default];
    for (const file of files) expect(existsSync(join(installed(name), file)), file).toBe(true);
    // The first matching condition wins. Every supported Node knows `module-sync`, so it never
    // loads the CommonJS files.
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

const sizeOf = (files: readonly string[]) => files.reduce((sum, path) => sum + statSync(path).size, 0);
const manifestsIn = (files: readonly string[]) =>
  files.filter((path) => /node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(path.replaceAll('\\', '/')));

test('the core installs at most 8 packages with less than 10 MB', () => {
  const files = filesBelow(modules);
  expect(sizeOf(files)).toBeLessThan(10_000_000);
  expect(manifestsIn(files).length).toBeLessThanOrEqual(8);
});

test.each([
  { name: 'fleet-telematics-sync', bytes: 3_000_000, packages: 3 },
  { name: 'fleet-telematics-map', bytes: 690_000, packages: 1 },
  { name: 'fleet-telematics-mcp', bytes: 420_000, packages: 1 },
] as const)('$name adds $packages packages with less than $bytes bytes', ({ name, bytes, packages }) => {
  const files = filesBelow(join(projectOf(name), 'node_modules'));
  const core = filesBelow(modules);
  expect(sizeOf(files) - sizeOf(core)).toBeLessThan(bytes);
  expect(manifestsIn(files).length - manifestsIn(core).length).toBe(packages);
});

test.each(packageNames)('an installation of %s runs no script and needs no compiler', (name) => {
  const files = filesBelow(join(projectOf(name), 'node_modules'));
  expect(files.filter((path) => /\.node$|[\\/]binding\.gyp$|\.(so|dylib|dll)$/.test(path))).toEqual([]);
  const scripted = manifestsIn(files).filter((path) => {
    const { scripts = {} } = JSON.parse(readFileSync(path, 'utf8')) as Manifest; // npm's own file
    // npm runs `prepare` only in clones, but audits list it with the others.
    const isOurs = packageNames.some((own) => dirname(path).endsWith(join('node_modules', own)));
    const names = isOurs ? Object.keys(scripts) : ['preinstall', 'install', 'postinstall'];
    return names.some((script) => script in scripts);
  });
  expect(scripted).toEqual([]);
});

test.each(packageNames)('the manifest of %s has what users need and nothing for its developers', (name) => {
  const published = Object.keys(manifestIn(installed(name))).filter((member) => !links.includes(member));
  const own = Object.keys(manifestIn(join(root, packageFolders[name])));
  const ofDevelopers = ['private', 'workspaces', 'scripts', 'devDependencies', 'overrides', 'allowScripts'];
  expect(published).toEqual(own.filter((member) => !ofDevelopers.includes(member)));
});

test('all packages have one version, and ask each other for exactly that', () => {
  const { version } = manifestIn(ours);
  for (const name of packageNames) {
    const manifest = manifestIn(installed(name));
    expect(manifest.version).toBe(version);
    const peers = Object.entries(manifest.peerDependencies ?? {}).filter(([peer]) => peer in packageFolders);
    expect(peers.length).toBeGreaterThan(0);
    expect(peers.filter(([, range]) => range !== version)).toEqual([]);
  }
});

test('npm finds the installed trees sound, without the optional peers and without what is bundled', () => {
  for (const name of packageNames)
    expect(run(...npmCommand('ls', '--all'), projectOf(name))).not.toMatch(/missing|invalid|extraneous/i);
  expect(readdirSync(modules).filter((name) => name.startsWith('fleet-'))).toEqual(['fleet-telematics']);
  expect(readdirSync(modules)).not.toContain('msw');
  expect(readdirSync(modules)).not.toContain('commander');
  expect(readdirSync(modules)).not.toContain('graphql-request');
});

test('the installed command line runs, and its manual is where npm looks for it', () => {
  const fleet = join(modules, '.bin/fleet');
  expect(run(fleet, ['--version'], project)).toMatch(/^\d+\.\d+\.\d+\n$/);
  const rows: unknown[] = JSON.parse(run(fleet, ['vehicles', 'list', '--demo', '-o', 'json'], project));
  expect(rows).toHaveLength(25);
  expect(manifestIn(ours).man).toEqual(['./man/fleet.1']);
  expect(pathsOf('fleet-telematics')).toContain('man/fleet.1');
});

test('docs/dependencies.md accounts for every dependency, in the version that is installed', () => {
  const text = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `([^`]+)` \| ([\d.]+) \|/gm)].map(([, name, version]) => [name, version]);
  const dependencies = packageNames.map((name) => manifestIn(installed(name)).dependencies);
  expect(Object.fromEntries(rows)).toEqual(Object.assign({}, ...dependencies));
});

describe('what is bundled', () => {
  const core = (path: string) => join(ours, path);
  const inPackage = (name: PackageName, path: string) => join(installed(name), path);
  const bundles: readonly {
    readonly name: string;
    readonly bundle: (target: string) => Promise<Metafile>;
    readonly licenses: () => string;
    readonly least?: number;
  }[] = [
    { name: 'command line', bundle: bundleCommandLine, licenses: () => core('dist/cli/licenses.txt') },
    { name: 'library', bundle: (target) => bundleLibrary(target), licenses: () => core('dist/esm/licenses.txt') },
    {
      ...{ name: 'Parquet files', bundle: bundleParquet, least: 2 },
      licenses: () => inPackage('fleet-telematics-sync', 'dist/esm/licenses.txt'),
    },
    {
      ...{ name: 'map page', bundle: bundleMap, least: 1 },
      licenses: () => inPackage('fleet-telematics-map', 'dist/page/licenses.txt'),
    },
    {
      ...{ name: 'command fleet map', bundle: (target) => bundlePackage('map', target), least: 2 },
      licenses: () => inPackage('fleet-telematics-map', 'dist/command/licenses.txt'),
    },
    {
      ...{ name: 'command fleet mcp', bundle: (target) => bundlePackage('mcp', target), least: 3 },
      licenses: () => inPackage('fleet-telematics-mcp', 'dist/command/licenses.txt'),
    },
  ];
  const packagesIn = (licenses: string) => {
    const text = readFileSync(licenses, 'utf8');
    const heads = [...text.matchAll(/(?:^|\n-{80}\n\n)(\S+) \d\S* \([^)]+\)\n\n.{10}/g)].map(([, head]) => head);
    return [...new Set(heads)].sort();
  };
  /** Returns the packages that docs/dependencies.md lists for a bundle. */
  const documented = (name: string) => {
    const docs = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');
    const [, section = ''] = new RegExp(`^### In the ${name}\n([^#]*)`, 'm').exec(docs) ?? [];
    const names = [...section.matchAll(/`([^`]+)`/g)].map(([, named = '']) => named);
    return names.filter((named) => !named.startsWith('fleet-telematics')).sort();
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
    // For another jq version, read its COPYING and update scripts/licenses-in-jq-wasm.txt.
    const [, version] = /^Compiled into jq-wasm: jq (\S+)/m.exec(text) ?? [];
    // The WebAssembly is the last part.
    const jq = brotliDecompressSync(readFileSync(join(ours, 'dist/cli/bundle/jq-wasm.cjs.br')));
    const names = jq.toString('latin1').split('\0');
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

      expect(packagesIn(licenses())).toEqual(expected);
      expect(documented(name)).toEqual(expected);
    },
  );

  test('docs/dependencies.md names what is in the GraphiQL page; the nightly check of graphiql/ compares its licences', () => {
    const expected = packagesIn(join(ours, 'dist/mock/graphiql/assets/licenses.txt'));
    expect(expected.length).toBeGreaterThan(4);
    expect(documented('GraphiQL page')).toEqual(expected);
  });
});
