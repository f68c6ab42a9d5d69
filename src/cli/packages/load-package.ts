// Loads the optional packages of commands, and builds the command that installs one.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCode } from '../../core/error-code.js';
import { sdkVersion } from '../../core/version.js';
import { CliError } from '../errors/cli-error.js';
import type { Io, PackageSource } from '../io/io.js';
import { type CommandPackage, commandPackages } from './command-packages.js';

const here = fileURLToPath(String(import.meta.url));
const fromHere = createRequire(here);

/** Searched folders: of this program, and of the started one, which may be a package's. */
const paths = () => [here, process.argv[1] ?? here].map((file) => dirname(realPathOf(file)));

const UNKNOWN = 'of unknown version';

const installedPackages: PackageSource = {
  versionOf(name) {
    try {
      const { version } = Object(JSON.parse(readFileSync(resolvePath(`${name}/package.json`), 'utf8')));
      return typeof version === 'string' ? version : UNKNOWN;
    } catch (error) {
      return errorCode(error) === 'MODULE_NOT_FOUND' ? null : UNKNOWN;
    }
  },
  load: async (name, entry) => import(resolvePath(`${name}/${entry}`)),
};

/**
 * Loads an entry of a package for a command.
 * @throws CliError CONFIGURATION with the install command, when the package is missing, damaged, or
 * of another version
 */
export async function loadPackage(io: Io, name: CommandPackage, entry: string, purpose: string): Promise<unknown> {
  const { versionOf, load } = io.packages ?? installedPackages;
  const version = versionOf(name);
  const hint = () => `Run: ${installCommand(name, here, purpose)}`;
  if (version === sdkVersion) {
    return load(name, entry).catch((cause: unknown) => {
      throw new CliError('CONFIGURATION', `The package ${name} is damaged: it cannot be loaded.`, {
        hint: hint(),
        cause,
      });
    });
  }
  const problem =
    version === null
      ? `\`${purpose}\` is in the package ${name}, which is not installed.`
      : `The package ${name} ${version} does not fit fleet-telematics ${sdkVersion}: both need the same version.`;
  throw new CliError('CONFIGURATION', problem, { hint: hint() });
}

/** Returns the version of each package; null for one that is not installed. */
export function packageVersions({ packages = installedPackages }: Io): ReadonlyMap<CommandPackage, string | null> {
  return new Map(Object.values(commandPackages).map((name) => [name, packages.versionOf(name)]));
}

/**
 * Returns the command that installs a package next to a program.
 * @param program a file of the program; its path shows which package manager installed it
 * @param purpose the command to run, for an npx installation
 */
export function installCommand(name: CommandPackage, program = here, purpose = 'fleet'): string {
  const packageSpec = `${name}@${sdkVersion}`;
  const folders = program.split(sep);
  const modules = folders.indexOf('node_modules');
  const project = folders.slice(0, Math.max(modules, 0)).join(sep);
  if (folders.includes('_npx')) {
    const [, noun = ''] = purpose.split(' ');
    const ofNoun = Object.entries(commandPackages).flatMap(([one, its]) => (one === noun && its !== name ? [its] : []));
    const names = ['fleet-telematics', ...ofNoun, name];
    return `npx ${names.map((one) => `--package ${one}@${sdkVersion}`).join(' ')} ${purpose}`;
  }
  if (process.versions.pnp !== undefined) return `yarn add ${packageSpec}`;
  if (modules < 0) return 'npm ci';
  if (folders.includes('.bun')) return `bun add --global ${packageSpec}`;
  const isGlobalOf = (manager: string) => folders.some((one, at) => one === manager && folders[at + 1] === 'global');
  if (isGlobalOf('pnpm')) return `pnpm add --global ${packageSpec}`;
  if (isGlobalOf('yarn')) return `yarn global add ${packageSpec}`;
  const has = (file: string) => existsSync(join(project, file));
  if (folders.includes('.pnpm') || has('pnpm-lock.yaml')) return `pnpm add ${packageSpec}`;
  if (has('bun.lock') || has('bun.lockb')) return `bun add ${packageSpec}`;
  if (has('yarn.lock')) return `yarn add ${packageSpec}`;
  return has('package.json') ? `npm install ${packageSpec}` : `npm install --global ${packageSpec}`;
}

function resolvePath(specifier: string): string {
  return fromHere.resolve(specifier, { paths: paths() });
}

function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
