// Which service, which login and which user: a flag wins over the environment, the environment over the profile. A kept
// user belongs to the login it was chosen with, and is not used with another.

import { baseUrlProblem, normaliseBaseUrl } from '../../core/base-url.js';
import { didYouMean } from '../../core/suggestions.js';
import { CliError } from '../errors/cli-error.js';
import type { Context } from '../run/context.js';
import { configPath, type KeptUser, type Profile, readConfig } from './config-file.js';
import { guardFolder } from './folder-permissions.js';

export interface Settings {
  /** Where configuration and sessions are kept. */
  readonly folder: string;
  readonly profileName: string;
  /** What is kept under that name; null when nothing is. */
  readonly profile: Profile | null;
  /** Something is kept under that name that cannot be read. */
  readonly isDamaged: boolean;
  /** Without a slash at its end; null when nothing says one. */
  readonly baseUrl: string | null;
  readonly username: string | null;
  /** From the environment; null when it does not hold both parts. */
  readonly password: string | null;
  /** What --user or FLEET_USER says, as written. */
  readonly user: string | null;
  /** The user kept for this service and login; null when there is none. */
  readonly keptUser: KeptUser | null;
}

/** Says nothing yet about what is missing: the command knows what it needs. */
export async function readSettings(context: Context): Promise<Settings> {
  const { globals, io } = context;
  const { configFolder } = await import('../connection/sdk.js');
  const folder = configFolder(io.env);
  const warn = (line: string) => context.warnings.push(line);
  guardFolder(folder, warn);
  const config = readConfig(folder, warn);
  const named = globals.profile ?? (io.env.FLEET_PROFILE || undefined);
  const profileName = profileNamed(named ?? config.profile);
  const profile = config.profiles.get(profileName) ?? null;
  const isDamaged = config.damaged.has(profileName);
  for (const other of config.damaged) {
    if (other !== profileName) warn(`The profile "${other}" in ${configPath(folder)} is damaged and was left out.`);
  }

  const baseUrlSaid = globals.baseUrl ?? (io.env.FLEET_BASE_URL || profile?.baseUrl || null);
  const baseUrl = baseUrlSaid === null ? null : normalBaseUrl(baseUrlSaid);
  const username = io.env.FLEET_USERNAME || profile?.username || null;
  const isProfilesLogin = profile !== null && baseUrl === profile.baseUrl && username === profile.username;
  return {
    folder,
    profileName,
    profile,
    isDamaged,
    baseUrl,
    username,
    password: io.env.FLEET_USERNAME ? io.env.FLEET_PASSWORD || null : null,
    user: globals.user ?? (io.env.FLEET_USER || null),
    keptUser: isProfilesLogin ? profile.user : null,
  };
}

/** A profile that somebody names has to be there, except for `login`, which makes it. */
export function requireProfile(context: Context, settings: Settings): void {
  if (settings.isDamaged) {
    const { folder, profileName } = settings;
    throw new CliError('CONFIGURATION', `The profile "${profileName}" in ${configPath(folder)} is damaged.`, {
      hint: `Mend that file, or make the profile anew with \`fleet login --profile ${profileName}\`.`,
    });
  }
  const named = context.globals.profile ?? (context.io.env.FLEET_PROFILE || undefined);
  if (named === undefined || settings.profile !== null) return;
  throw noProfile(named, readConfig(settings.folder, () => undefined).profiles);
}

export function noProfile(named: string, profiles: ReadonlyMap<string, Profile>): CliError {
  return new CliError('CONFIGURATION', `There is no profile "${named}".`, {
    hint: didYouMean(named, profiles.keys()) ?? `\`fleet login --profile ${named}\` makes it.`,
    choices: [...profiles].map(([profile, { baseUrl, username }]) => ({ profile, baseUrl, username })),
  });
}

export function profileNamed(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name;
  throw new CliError('USAGE', `"${name}" cannot be the name of a profile.`, {
    hint: 'Use letters, digits, dots, dashes and underscores.',
  });
}

export function requireBaseUrl(settings: Settings): string {
  if (settings.baseUrl !== null) return settings.baseUrl;
  throw new CliError('CONFIGURATION', 'The address of the service is not known.', {
    hint: 'Run `fleet login --base-url <url>`, set FLEET_BASE_URL, or add --demo to try it without an account.',
  });
}

export function normalBaseUrl(text: string): string {
  const refuse = (why: string, hint: string) =>
    new CliError('CONFIGURATION', `The address of the service ${why}.`, { hint });
  switch (baseUrlProblem(text)) {
    case null:
      return normaliseBaseUrl(text);
    case 'no http(s) address':
      throw refuse(
        'is not a web address',
        'It begins with https:// or http://, for example https://fleet.example.com.',
      );
    case 'holds credentials':
      throw refuse('holds a user name or a password', 'Leave them out; `fleet login` asks for them.');
    case 'has a query or fragment':
      throw refuse('has a ? or a # part', 'Give only what comes before /login/token and /graphql.');
  }
}
