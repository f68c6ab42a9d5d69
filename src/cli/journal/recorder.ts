// Writes the journal entry of a command: each step before it is sent, and its outcome afterwards. A
// step of a killed process has an unknown outcome; nothing is sent before it is in the journal.
import type { Command } from 'commander';
import { configFolder } from '../../core/config-folder.js';
import { errorCode } from '../../core/error-code.js';
import { isObject } from '../../core/json.js';
import { type Context, now, serviceNow } from '../context/context.js';
import { CliError } from '../errors/cli-error.js';
import { pathOf } from '../help/global-use.js';
import type { EndOfStep, EntryHead, Intent, JournaledChange, JournaledRecord } from './entry.js';
import { appendLine, journalFolder, newEntryFile, numberOfEntry } from './journal-folder.js';

export interface Recorder {
  begin(intent: Intent): EndOfStep;
  /** Returns the number of the entry; null before its first step, or when it was not written. */
  number(): number | null;
}

/** Returns null when the journal is off, or under --demo. Throws CliError USAGE. */
export function recorderOf(context: Context, { undoes, part }: Pick<EntryHead, 'undoes' | 'part'>): Recorder | null {
  const { author } = context.service;
  if (isOff(context.io.env) || author === null) return null;
  const folder = journalFolder(configFolder(context.io.env));
  // Steps have the time of the service, because undo compares it with the times of records.
  const sentAt = () => new Date(serviceNow(context)).toISOString();
  const { command } = context;
  let isWritable = true;
  /** A failed write does not stop the change; the user is warned once. */
  const attempt = (write: () => void) => {
    if (!isWritable) return;
    try {
      write();
    } catch (error) {
      isWritable = false;
      context.report.warn(
        `The journal in ${folder} could not be written (${errorCode(error) ?? 'unknown reason'}): \`fleet undo\` cannot revert all of this change. FLEET_JOURNAL=off switches the journal off.`,
      );
    }
  };
  let file: string | null = null;
  let steps = 0;
  return {
    number: () => (file === null || !isWritable ? null : numberOfEntry(file)),
    begin(intent) {
      const step = steps++;
      attempt(() => {
        const records = intent.records.map(withoutSecrets);
        if (file === null) {
          file = newEntryFile(folder);
          const hasSecret = records.some(({ changes }) => changes.some(({ isSecret }) => isSecret));
          const words = command ? wordsForJournal(command, context.globals.filter ?? [], hasSecret) : '';
          const head: EntryHead = { at: new Date(now(context)).toISOString(), ...author, command: words, undoes, part };
          appendLine(file, { journal: 1, ...head }, { isDurable: false });
        }
        appendLine(file, { step, at: sentAt(), ...intent, records }, { isDurable: true });
      });
      return (outcome) =>
        attempt(() => {
          if (file !== null) appendLine(file, { step, at: sentAt(), ...outcome }, { isDurable: false });
        });
    },
  };
}

function isOff({ FLEET_JOURNAL: setting }: Context['io']['env']): boolean {
  if (setting === undefined || setting === '' || setting === 'on') return false;
  if (setting === 'off') return true;
  throw new CliError('USAGE', `FLEET_JOURNAL is "${setting}", which is neither on nor off.`, {
    undone: 'sent',
    hint: 'Set it to off or on, or unset it.',
  });
}

/** Commands with tokens, or with documents and variables of the user. */
const secretive: ReadonlySet<string> = new Set(['tokens', 'api']);

/**
 * Returns the words of a command without global options and possible secrets. `filters`: the values
 * of --filter.
 */
function wordsForJournal(command: Command, filters: readonly string[], hasSecret: boolean): string {
  const path = pathOf(command).split(' ');
  const values = [...command.args, ...filters, ...Object.values(command.opts()).flat()];
  const isSecretive = hasSecret || secretive.has(path[0] ?? '') || values.some((one) => isSecretName(String(one)));
  const flags = command.options.flatMap((option): readonly string[] => {
    const name = option.attributeName();
    if (command.getOptionValueSource(name) !== 'cli') return [];
    const value: unknown = command.getOptionValue(name);
    const flag = value === false ? `--no-${option.name().replace(/^no-/, '')}` : (option.long ?? option.flags);
    // An option and its negation share one value.
    if (typeof value === 'boolean') return option.negate === !value ? [flag] : [];
    const values = (Array.isArray(value) ? value : [value]).filter((one) => ['string', 'number'].includes(typeof one));
    return isSecretive ? [flag] : values.flatMap((one) => [flag, quoted(String(one))]);
  });
  const names = isSecretive ? [] : command.args.map(quoted);
  const chosen = filters.flatMap((one) => (isSecretive ? ['--filter'] : ['--filter', quoted(one)]));
  return [...path, ...names, ...flags, ...chosen].join(' ');
}

function quoted(word: string): string {
  return /^[\w./:@,+=-]+$/.test(word) ? word : JSON.stringify(word);
}

/** The kind of record whose value is a credential. */
const tokenNoun = 'driver token';

const SECRET_NAME = /passw|passcode|secret(?!ar)|token|credential|api.?key|\bpin\b/i;

/** Returns true for a name such as `Password` or `Fuel card PIN`, also of a custom field. */
function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Removes token values, and members whose names indicate a secret. */
function withoutSecrets(record: JournaledRecord): JournaledRecord {
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
