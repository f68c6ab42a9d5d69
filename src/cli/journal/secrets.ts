// Removes secrets from journal records: token values, and members whose names indicate a secret.
import { isObject } from '../../core/json.js';
import type { JournaledChange, JournaledRecord } from './entry.js';

/** The kind of record whose value is a credential. */
const tokenNoun = 'driver token';

const SECRET_NAME = /passw|passcode|secret(?!ar)|token|credential|api.?key|\bpin\b/i;

/** Returns true for a name such as `Password` or `Fuel card PIN`, also of a custom field. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

export function withoutSecrets(record: JournaledRecord): JournaledRecord {
  const isToken = record.kind === tokenNoun;
  return {
    ...record,
    // The name of a token is its value.
    name: isToken ? tokenNoun : record.name,
    changes: record.changes.map((change) => withoutSecretValues(change, isToken)),
  };
}

function withoutSecretValues(change: JournaledChange, isToken: boolean): JournaledChange {
  const { field } = change;
  if (field === 'driverTokens')
    return { field, before: withoutValues(change.before), after: withoutValues(change.after) };
  if ((isToken && field === 'value') || isSecretName(field)) return { field, isSecret: true };
  // Only the secret members of nested values are removed, such as of custom fields.
  const cleaned = { ...change };
  for (const side of ['before', 'after'] as const) {
    if (side in change) Object.assign(cleaned, { [side]: withoutSecretMembers(change[side]) });
  }
  return cleaned;
}

function withoutValues(tokens: unknown): unknown {
  if (!Array.isArray(tokens)) return null;
  return tokens.filter(isObject).map(({ id }) => ({ id }));
}

function withoutSecretMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((one) => !isSecretField(one)).map(withoutSecretMembers);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      isSecretName(name) ? [] : [[name, withoutSecretMembers(member)]],
    ),
  );
}

function isSecretField(value: unknown): boolean {
  return isObject(value) && typeof value.name === 'string' && 'value' in value && isSecretName(value.name);
}
