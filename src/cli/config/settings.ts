// Finds service, login and user of a command: flags before environment before profile.
import { baseUrlProblem, normaliseBaseUrl } from '../../core/base-url.js';
import { configFolder } from '../../core/config-folder.js';
import { didYouMean } from '../../core/suggestions.js';
import type { ReportingRun, Run } from '../context/context.js';
import { CliError } from '../errors/cli-error.js';
import {
  type Config,
  configPath,
  type Profile,
  type ReadConfig,
  readConfigFile,
  type SavedUser,
} from './config-file.js';
import { type CredentialSource, credentialSource, loginKeyOf } from './credential-source.js';
import { guardFolder } from './folder-permissions.js';

export interface Settings {
  readonly folder: string;
  readonly profileName: string;
  /** Null when it does not exist. */
  readonly profile: Profile | null;
  /** True when the profile exists but is unreadable. */
  readonly isCorrupt: boolean;
  readonly config: Config;
  /** Has no trailing slash; null when not set. */
  readonly baseUrl: string | null;
  readonly username: string | null;
  /** Null: a typed password or a stored session is needed. */
  readonly credentials: CredentialSource | null;
  /** Key of the session; null when only one exists. */
  readonly loginKey: string | null;
  /** Command of the profile for this service and login. May contain a secret: never print it. */
  readonly credentialCommand: string | null;
  /** Address of the Redis with gate and sessions. May contain a password: never print it. */
  readonly redis: string | null;
  readonly user: string | null;
  /** The user saved for this service and login. */
  readonly savedUser: SavedUser | null;
}

/** Reads the settings. Each command checks on its own that the settings it needs are set. */
export async function readSettings(run: ReportingRun, readConfig: ReadConfig = readConfigFile): Promise<Settings> {
  const { globals, io } = run;
  const folder = configFolder(io.env);
  const warn = (line: string) => run.report.warn(line);
  guardFolder(folder, warn);
  const config = await readConfig(folder, warn);
  const profileName = profileNamed(namedProfile(run) ?? config.profile);
  const profile = config.profiles.get(profileName) ?? null;
  for (const other of config.corruptProfiles) {
    if (other !== profileName) warn(`The profile "${other}" in ${configPath(folder)} is corrupt and was ignored.`);
  }

  const configuredBaseUrl = globals.baseUrl ?? (io.env.FLEET_BASE_URL || profile?.baseUrl || null);
  const baseUrl = configuredBaseUrl === null ? null : normalBaseUrl(configuredBaseUrl);
  const username = io.env.FLEET_USERNAME || profile?.username || null;
  const isLoginOfProfile = profile !== null && baseUrl === profile.baseUrl && username === profile.username;
  const credentialCommand = isLoginOfProfile ? profile.credentialCommand : null;
  const credentials = credentialSource(io.env, credentialCommand);
  return {
    folder,
    profileName,
    profile,
    isCorrupt: config.corruptProfiles.has(profileName),
    config,
    baseUrl,
    username,
    credentials,
    loginKey: loginKeyOf(username, credentials),
    credentialCommand,
    redis: globals.redis ?? (io.env.FLEET_REDIS_URL || null),
    user: globals.user ?? (io.env.FLEET_USER || null),
    savedUser: isLoginOfProfile ? profile.user : null,
  };
}

/** Reads the settings through conf, for commands that change the configuration. */
export async function readManagedSettings(run: ReportingRun): Promise<Settings> {
  const { readConfig } = await import('./config-store.js');
  return readSettings(run, readConfig);
}

function namedProfile({ globals, io }: Run): string | undefined {
  return globals.profile ?? (io.env.FLEET_PROFILE || undefined);
}

/** Throws when the named profile is missing or corrupt. Not called by `login`. */
export function requireProfile(run: Run, { config, folder, isCorrupt, profile, profileName }: Settings): void {
  if (isCorrupt) {
    throw new CliError('CONFIGURATION', `The profile "${profileName}" in ${configPath(folder)} is corrupt.`, {
      hint: `Repair that file, or create the profile again with \`fleet login --profile ${profileName}\`.`,
    });
  }
  const named = namedProfile(run);
  if (named !== undefined && profile === null) throw noProfile(named, config.profiles);
}

export function noProfile(name: string, profiles: ReadonlyMap<string, Profile>): CliError {
  return new CliError('CONFIGURATION', `There is no profile "${name}".`, {
    hint: didYouMean(name, profiles.keys()) ?? `\`fleet login --profile ${name}\` creates it.`,
    choices: [...profiles].map(([profile, { baseUrl, username }]) => ({ profile, baseUrl, username })),
  });
}

export function profileNamed(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name;
  throw new CliError('USAGE', `"${name}" is not a valid name for a profile.`, {
    hint: 'Use letters, digits, dots, dashes and underscores.',
  });
}

export function requireBaseUrl(settings: Settings): string {
  if (settings.baseUrl !== null) return settings.baseUrl;
  throw new CliError('CONFIGURATION', 'The address of the service is not set.', {
    hint: 'Run `fleet login --base-url <url>`, set FLEET_BASE_URL, or add --demo to try it without an account.',
  });
}

export function normalBaseUrl(text: string): string {
  const refuse = (reason: string, hint: string) =>
    new CliError('CONFIGURATION', `The address of the service ${reason}.`, { hint });
  switch (baseUrlProblem(text)) {
    case null:
      return normaliseBaseUrl(text);
    case 'no http(s) address':
      throw refuse(
        'is not a web address',
        'It begins with https:// or http://, for example https://fleet.example.com.',
      );
    case 'holds credentials':
      throw refuse('contains a user name or a password', 'Leave them out; `fleet login` asks for them.');
    case 'has a query or fragment':
      throw refuse('has a ? or a # part', 'Give only the part before /login/token and /graphql.');
  }
}
