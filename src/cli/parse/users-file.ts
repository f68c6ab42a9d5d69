// Reads the logins of `fleet mock --users-file`, JSON in the form of createMockService({ users }).
// Messages never repeat a password.

import { isObject } from '../../core/json.js';
import type { MockUser } from '../../mock/service.js';
import type { CliError } from '../errors/cli-error.js';
import { unusable } from '../errors/unusable.js';

const example = '[{ "username": "ada", "password": "secret", "entries": [{ "fleet": "Demo Fleet" }] }]';

export function parseUsersFile(text: string): readonly MockUser[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidFile('it is not JSON');
  }
  if (!Array.isArray(value) || value.length === 0) throw invalidFile('it is not a list of logins');
  return value.map((login: unknown, index) => readLogin(login, `login ${index + 1}`));
}

function readLogin(value: unknown, where: string): MockUser {
  const { username, password, entries } = members(value, where, ['username', 'password', 'entries']);
  if (!Array.isArray(entries) || entries.length === 0) throw invalidFile(`${where} has no list of entries`);
  return {
    username: requiredText(username, `${where}: username`),
    password: requiredText(password, `${where}: password`),
    entries: entries.map((entry: unknown, index) => readEntry(entry, `${where}, entry ${index + 1}`)),
  };
}

function readEntry(value: unknown, where: string): MockUser['entries'][number] {
  const { fleet, group, userName } = members(value, where, ['fleet', 'group', 'userName']);
  return {
    fleet: requiredText(fleet, `${where}: fleet`),
    ...(group === undefined ? {} : { group: requiredText(group, `${where}: group`) }),
    ...(userName === undefined ? {} : { userName: requiredText(userName, `${where}: userName`) }),
  };
}

function members(value: unknown, where: string, memberNames: readonly string[]): Record<string, unknown> {
  if (!isObject(value)) throw invalidFile(`${where} is not an object`);
  const unknown = Object.keys(value).find((key) => !memberNames.includes(key));
  if (unknown !== undefined)
    throw invalidFile(`${where} has an unknown member; the members are ${memberNames.join(', ')}`);
  return { ...value };
}

function requiredText(value: unknown, where: string): string {
  if (typeof value !== 'string' || value === '') throw invalidFile(`${where} is missing or not a text`);
  return value;
}

function invalidFile(reason: string): CliError {
  return unusable('users file', reason, { hint: `An example: ${example}` });
}
