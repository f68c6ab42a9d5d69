// Reads the logins of `fleet mock --users-file`: JSON of the shape that createMockService({ users }) takes. Passwords in it
// are of a service on this machine, and still no message repeats one.
import type { MockUser } from '../../mock/service.js';
import { CliError } from '../errors/cli-error.js';

const example = '[{ "username": "ada", "password": "secret", "entries": [{ "fleet": "Demo Fleet" }] }]';

export function parseUsersFile(text: string): readonly MockUser[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refused('it is no JSON');
  }
  if (!Array.isArray(value) || value.length === 0) throw refused('it is no list of logins');
  return value.map((login: unknown, place) => readLogin(login, `login ${place + 1}`));
}

function readLogin(value: unknown, where: string): MockUser {
  const { username, password, entries } = members(value, where, ['username', 'password', 'entries']);
  if (!Array.isArray(entries) || entries.length === 0) throw refused(`${where} has no list of entries`);
  return {
    username: words(username, `${where}: username`),
    password: words(password, `${where}: password`),
    entries: entries.map((entry: unknown, place) => readEntry(entry, `${where}, entry ${place + 1}`)),
  };
}

function readEntry(value: unknown, where: string): MockUser['entries'][number] {
  const { fleet, group, userName } = members(value, where, ['fleet', 'group', 'userName']);
  return {
    fleet: words(fleet, `${where}: fleet`),
    ...(group === undefined ? {} : { group: words(group, `${where}: group`) }),
    ...(userName === undefined ? {} : { userName: words(userName, `${where}: userName`) }),
  };
}

function members(value: unknown, where: string, known: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refused(`${where} is no object`);
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) throw refused(`${where} has a member it cannot have; it can have ${known.join(', ')}`);
  return { ...value };
}

function words(value: unknown, where: string): string {
  if (typeof value !== 'string' || value === '') throw refused(`${where} is missing or no text`);
  return value;
}

function refused(why: string): CliError {
  return new CliError('USAGE', `The users file cannot be used: ${why}.`, { hint: `It holds, for example, ${example}` });
}
