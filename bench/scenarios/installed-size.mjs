// @ts-check
// The disk size of `npm install fleet-telematics`: the package and its dependencies.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { npmCommand } from '../../scripts/npm.mjs';
import { productFile } from '../lib/product.mjs';

export const title = 'Installed size';

const most = 10_000_000;
const mostPackages = 8;

/** @type {import('../lib/scenario.mjs').Scenario['run']} */
export async function run(report) {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-bench-'));
  /** @param {readonly string[]} args @param {string} cwd */
  const npm = (args, cwd) =>
    execFileSync(...npmCommand(...args), {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  try {
    // The build is fresh, so packing needs no scripts.
    const [packed] = JSON.parse(
      npm(['pack', '--ignore-scripts', '--json', '--pack-destination', folder], productFile('.')),
    );
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true }));
    npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', `./${packed.filename}`], folder);
    const modules = join(folder, 'node_modules');
    // npm's own file, not a package.
    const files = (await filesOf(modules)).filter(({ path }) => path !== '.package-lock.json');
    /** @type {Map<string, number>} */
    const sizes = new Map();
    for (const { path, bytes } of files) {
      const name = packageOf(path);
      sizes.set(name, (sizes.get(name) ?? 0) + bytes);
    }
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    const manifests = files.filter(({ path }) => /^(@[^/]+\/)?[^/]+\/package\.json$/.test(path));
    const native = files.filter(({ path }) => /\.node$|(^|\/)binding\.gyp$/.test(path)).map(({ path }) => path);
    const scripted = [];
    for (const { path } of manifests) {
      const { scripts = {} } = JSON.parse(await readFile(join(modules, path), 'utf8'));
      if (['preinstall', 'install', 'postinstall'].some((name) => name in scripts)) scripted.push(packageOf(path));
    }

    report.text(
      `The packed tarball has ${megabytes(packed.size)}; installed in an empty project it brings ${sizes.size} packages, sizes of files added up.`,
    );
    const largest = [...sizes].sort(([, one], [, other]) => other - one);
    const shown = largest.slice(0, 8);
    const rest = largest.slice(8).reduce((sum, [, bytes]) => sum + bytes, 0);
    report.table(
      ['package', 'size'],
      [
        ...shown.map(([name, bytes]) => [name, megabytes(bytes)]),
        [`${largest.length - shown.length} more`, megabytes(rest)],
        ['all', megabytes(total)],
      ],
    );
    return [
      {
        what: 'installed size with runtime dependencies',
        bar: `under 10 MB, ${mostPackages} packages or fewer, no native code, no install script`,
        reached: `${megabytes(total)}, ${sizes.size} packages, ${native.length} native, ${scripted.length} install scripts`,
        met: total < most && sizes.size <= mostPackages && native.length === 0 && scripted.length === 0,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {number} bytes */
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;

/** @param {string} path below node_modules @returns {string} */
function packageOf(path) {
  const [scope = '', name = ''] = path.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}

/**
 * @param {string} folder
 * @returns {Promise<{ path: string, bytes: number }[]>} paths with slashes, relative to the folder
 */
async function filesOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      return { path: path.slice(folder.length + 1).replaceAll(sep, '/'), bytes: (await stat(path)).size };
    }),
  );
}
