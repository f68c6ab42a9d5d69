// Reads the credentials of a login. No message quotes them or the command.
import { readFileSync, type Stats, statSync } from 'node:fs';
import { errorCode } from '../../core/error-code.js';
import { isObject } from '../../core/json.js';
import { type CredentialSource, sourceText } from '../config/credential-source.js';
import type { ServiceRun } from '../context/context.js';
import { CliError } from '../errors/cli-error.js';

export interface LoginCredentials {
  readonly username: string;
  readonly password: string;
}

/** Reads the credentials. `username`: null when only the source has it. */
export async function credentialsFrom(
  run: ServiceRun,
  source: CredentialSource,
  username: string | null,
): Promise<LoginCredentials> {
  const read = source.kind === 'command' ? await fromCommand(run, source) : { password: passwordFrom(source) };
  const name = read.username ?? username;
  if (name === null) {
    throw new CliError('CONFIGURATION', `${sourceText(source)} gives a password and no user name.`, {
      hint: 'Give --username to `fleet login`, set FLEET_USERNAME, or let the command print {"username": "…", "password": "…"}.',
    });
  }
  if (username !== null && name !== username) {
    throw new CliError('CONFIGURATION', `${sourceText(source)} gives the login of "${name}", not of "${username}".`, {
      hint: 'Give the same user name in both places, or leave out FLEET_USERNAME.',
    });
  }
  return { username: name, password: read.password };
}

interface SourceCredentials {
  readonly username?: string | undefined;
  readonly password: string;
}

async function fromCommand(
  run: ServiceRun,
  source: CredentialSource & { readonly kind: 'command' },
): Promise<SourceCredentials> {
  const { outputOfCommand } = await import('./credential-command.js');
  const text = decodeText(await outputOfCommand(run, source));
  const json = text.trimStart().startsWith('{') ? parseJsonObject(text) : null;
  if (json === null) return { password: onlyLine(text, source, 'The output of') };
  const { username, password } = json;
  if (typeof password === 'string' && password !== '' && (username === undefined || isName(username))) {
    return { username, password };
  }
  throw new CliError('CONFIGURATION', `The output of ${sourceText(source)} is JSON without a password.`, {
    hint: 'It is {"username": "…", "password": "…"}, both text, or the password alone.',
  });
}

/** Returns null for a password that starts with a brace. */
function parseJsonObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function passwordFrom(source: CredentialSource & { readonly kind: 'password' | 'file' }): string {
  if (source.kind === 'password') return source.password;
  const { path } = source;
  let bytes: Buffer;
  try {
    requirePrivate(path, statSync(path));
    bytes = readFileSync(path);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(
      'CONFIGURATION',
      `The password file ${path} cannot be read (${errorCode(error) ?? 'unknown reason'}).`,
      { hint: 'FLEET_PASSWORD_FILE names a file that contains the password and nothing else.', cause: error },
    );
  }
  return onlyLine(decodeText(bytes), source, `The password file ${path}, named by`);
}

/** Returns the user id of the process; null on Windows, which protects files differently. */
function currentUid(): number | null {
  return process.getuid?.() ?? null;
}

/**
 * Throws when others can access the file. As in PostgreSQL, a group may read a file of root,
 * because administrators and containers provide it like that.
 */
export function requirePrivate(
  path: string,
  { mode, uid }: Pick<Stats, 'mode' | 'uid'>,
  user: number | null = currentUid(),
  file = 'password file',
): void {
  if (user === null) return;
  if (uid !== user && uid !== 0) {
    throw new CliError('CONFIGURATION', `The ${file} ${path} belongs to another user of this machine.`, {
      hint: 'Become its owner with chown, or make a file of your own.',
    });
  }
  const forbidden = uid === 0 ? 0o037 : 0o077;
  if ((mode & forbidden) === 0) return;
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  throw new CliError('CONFIGURATION', `Other users can access the ${file} ${path} (${shown}).`, {
    hint: uid === 0 ? `Run chmod 0640 ${path}, or 0600.` : `Run chmod 0600 ${path}.`,
  });
}

function onlyLine(text: string, source: CredentialSource, what: string): string {
  const line = text.replace(/[\r\n]+$/, '');
  if (line !== '' && !/[\r\n]/.test(line)) return line;
  const problem = line === '' ? 'is empty' : 'has more than one line';
  throw new CliError('CONFIGURATION', `${what} ${sourceText(source)} ${problem}.`, {
    hint: 'It is the password and nothing else; a line break at its end does not count.',
  });
}

/** Windows writes text with a byte order mark, PowerShell 5 in UTF-16. */
function decodeText(bytes: Buffer): string {
  return new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes);
}
