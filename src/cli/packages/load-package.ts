// The packages of commands: where an installation of one is found, and what a person does without one.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sdkVersion } from '../../core/version.js';
import { CliError } from '../errors/cli-error.js';
import type { Io, PackageSource } from '../io/io.js';
import { type CommandPackage, commandPackages } from './command-packages.js';

const here = fileURLToPath(String(import.meta.url));
const fromHere = createRequire(here);

/**
 * The places that are searched: beside this program, and beside the program that was started, which
 * may be the one of a package.
 */
const paths = () => [here, process.argv[1] ?? here].map((file) => dirname(realPathOf(file)));

const installedPackages: PackageSource = {
  versionOf(name) {
    const manifest = resolved(`${name}/package.json`);
    if (manifest === null) return null;
    return String(Object(JSON.parse(readFileSync(manifest, 'utf8'))).version);
  },
  load: async (name, entry) => import(resolved(`${name}/${entry}`) ?? `${name}/${entry}`),
};

/**
 * Loads an entry of a package, `purpose` being the words that need it, such as `fleet map`.
 *
 * @throws CliError CONFIGURATION with the command that installs it, when it is missing or has
 *   another version than this program
 */
export async function loadPackage(io: Io, name: CommandPackage, entry: string, purpose: string): Promise<unknown> {
  const { versionOf, load } = io.packages ?? installedPackages;
  const version = versionOf(name);
  if (version === sdkVersion) return load(name, entry);
  const problem =
    version === null
      ? `\`${purpose}\` is in the package ${name}, which is not installed.`
      : `The package ${name} ${version} does not fit fleet-telematics ${sdkVersion}: both need the same version.`;
  throw new CliError('CONFIGURATION', problem, { hint: `Run: ${installCommand(name, here, purpose)}` });
}

/** Returns the version of each package; null for one that is not installed. */
export function packageVersions({ packages = installedPackages }: Io): ReadonlyMap<CommandPackage, string | null> {
  return new Map(Object.values(commandPackages).map((name) => [name, packages.versionOf(name)]));
}

/**
 * Returns the command that installs a package beside a program.
 *
 * @param program the path of a file of the program, of which the folders tell how it was installed
 * @param purpose the command to run, for an installation that lasts for one command
 */
export function installCommand(name: CommandPackage, program = here, purpose = 'fleet'): string {
  const wanted = `${name}@${sdkVersion}`;
  const folders = program.split(sep);
  const modules = folders.indexOf('node_modules');
  const project = folders.slice(0, Math.max(modules, 0)).join(sep);
  if (folders.includes('_npx')) return `npx --package fleet-telematics@${sdkVersion} --package ${wanted} ${purpose}`;
  if (process.versions.pnp !== undefined) return `yarn add ${wanted}`;
  const isProject = modules > 0 && existsSync(join(project, 'package.json'));
  if (folders.includes('.pnpm') || folders.includes('pnpm'))
    return isProject && !folders.includes('global') ? `pnpm add ${wanted}` : `pnpm add --global ${wanted}`;
  if (modules < 0) return 'npm ci';
  if (!isProject) return `npm install --global ${wanted}`;
  return existsSync(join(project, 'yarn.lock')) ? `yarn add ${wanted}` : `npm install ${wanted}`;
}

function resolved(specifier: string): string | null {
  try {
    return fromHere.resolve(specifier, { paths: paths() });
  } catch {
    return null;
  }
}

function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
