// Reads config.json. Corrupt files are never overwritten; corrupt profiles do not affect others.
// Imports little, because every command reads the configuration at its start.

import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../core/error-code.js';
import { isObject } from '../../core/json.js';
import { findJsonProblem, lineAndColumn } from '../../core/json-syntax.js';
import { CliError } from '../errors/cli-error.js';

/** The user selected with `fleet users use`, with names from that time. */
export interface SavedUser {
  readonly userId: string;
  readonly userName: string | null;
  readonly fleetName: string | null;
}

export interface Profile {
  readonly baseUrl: string | null;
  readonly username: string | null;
  readonly user: SavedUser | null;
  /** Prints the credentials. Named `credential-command` in the file. */
  readonly credentialCommand: string | null;
}

export interface Config {
  /** The default profile. */
  readonly profile: string;
  readonly profiles: ReadonlyMap<string, Profile>;
  /** Names of unreadable profiles. */
  readonly corruptProfiles: ReadonlySet<string>;
  /** The content of the file, with unknown members. */
  readonly content: Readonly<Record<string, unknown>>;
}

const CREDENTIAL_COMMAND = 'credential-command';

export type ReadConfig = (folder: string, warn: (line: string) => void) => Config | Promise<Config>;

export function configPath(folder: string): string {
  return join(folder, 'config.json');
}

/** Reads the configuration without conf. `warn` gets a line when access rights were repaired. */
export function readConfigFile(folder: string, warn: (line: string) => void): Config {
  return checkedConfig(folder, warn, (path) => deserialize(readFileSync(path, 'utf8')));
}

/** Reads and checks the content. A missing file is an empty configuration. */
export function checkedConfig(folder: string, warn: (line: string) => void, read: (path: string) => unknown): Config {
  const path = configPath(folder);
  let config: Config | null;
  try {
    config = parseConfig(read(path));
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return { profile: 'default', profiles: new Map(), corruptProfiles: new Set(), content: {} };
    if (error instanceof SyntaxError) throw corrupt(path);
    throw new CliError('CONFIGURATION', `The configuration ${path} cannot be read (${code ?? 'unknown reason'}).`, {
      hint: 'Correct its access rights, or set FLEET_CONFIG_DIR to a folder of your own.',
      cause: error,
    });
  }
  if (config === null) throw corrupt(path);
  repairAccessRights(path, warn);
  return config;
}

/** Parses the text. Throws SyntaxError when it is not a configuration. */
export function deserialize(text: string): Readonly<Record<string, unknown>> {
  const content: unknown = JSON.parse(text);
  if (isObject(content) && parseConfig(content) !== null) return content;
  throw new SyntaxError('not a configuration');
}

/** Returns the error for a corrupt file, which is kept because most of its content is valid. */
function corrupt(path: string): CliError {
  const syntaxError = findSyntaxError(path);
  const where =
    syntaxError === null
      ? 'is not a configuration'
      : `has a syntax error in line ${syntaxError.line}, column ${syntaxError.column}`;
  return new CliError('CONFIGURATION', `The configuration ${path} ${where}.`, {
    hint: 'Correct the file, which is left as it is; or move it away and start again with `fleet login`.',
  });
}

function findSyntaxError(path: string): ReturnType<typeof lineAndColumn> | null {
  try {
    const text = readFileSync(path, 'utf8');
    const syntaxError = findJsonProblem(text);
    return syntaxError && lineAndColumn(text, syntaxError.at);
  } catch {
    return null;
  }
}

function repairAccessRights(path: string, warn: (line: string) => void): void {
  const file = statSync(path, { throwIfNoEntry: false });
  // A link to a device such as /dev/null keeps its access rights.
  if (process.platform === 'win32' || !file?.isFile() || (file.mode & 0o077) === 0) return;
  try {
    chmodSync(path, 0o600);
    warn(`Other users could read ${path}; now only you can (0600).`);
  } catch {
    warn(`Other users can read ${path}, and its access rights could not be changed.`);
  }
}

/** Returns null when the content is not a configuration. */
export function parseConfig(content: unknown): Config | null {
  if (!isObject(content)) return null;
  const { profile = 'default', profiles = {} } = content;
  if (typeof profile !== 'string' || !isObject(profiles)) return null;
  const readable = new Map<string, Profile>();
  const corruptProfiles = new Set<string>();
  for (const [name, entry] of Object.entries(profiles)) {
    const parsed = parseProfile(entry);
    if (parsed === null) corruptProfiles.add(name);
    else readable.set(name, parsed);
  }
  return { profile, profiles: readable, corruptProfiles, content };
}

function parseProfile(value: unknown): Profile | null {
  if (!isObject(value)) return null;
  const { baseUrl = null, username = null, user = null, [CREDENTIAL_COMMAND]: credentialCommand = null } = value;
  if (!isText(baseUrl) || !isText(username) || !isText(credentialCommand)) return null;
  if (user === null) return { baseUrl, username, user, credentialCommand };
  if (!isObject(user)) return null;
  const { userId, userName = null, fleetName = null } = user;
  if (typeof userId !== 'string' || !isText(userName) || !isText(fleetName)) return null;
  return { baseUrl, username, user: { userId, userName, fleetName }, credentialCommand };
}

export function contentOf({ credentialCommand, ...profile }: Profile): Readonly<Record<string, unknown>> {
  return { ...profile, ...(credentialCommand === null ? {} : { [CREDENTIAL_COMMAND]: credentialCommand }) };
}

function isText(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
