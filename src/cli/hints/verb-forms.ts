// Interprets words after a verb that takes only flags, such as `geofences add Depot 58.38,26.72`.
import type { Command } from 'commander';
import { isPlain } from '../errors/format-hint.js';

interface Form {
  /** The command without `fleet`; `$1` is the first word. */
  readonly lead: string;
  /** A pattern for each word; the count must match. */
  readonly words: readonly RegExp[];
}

const any = /^/;
const position = /^\d+(\.\d+)?,-?\d+(\.\d+)?$/;
const distance = /^\d+(\.\d+)?(m|km|mi)?$/;
const file = /\.(csv|tsv|xlsx|json|ndjson|jsonl|yaml|yml)$/i;

const rename = (noun: string): Form => ({ lead: `${noun} update $1 --name $2`, words: [any, any] });
const fromFile = (noun: string, verb = 'apply'): Form => ({ lead: `${noun} ${verb} $1`, words: [file] });

/** Forms by noun and verb, typed verbs before their synonyms. The first match is used. */
const forms: Readonly<Record<string, readonly Form[]>> = {
  'geofences create': [
    { lead: 'geofences create --name $1 --at $2 --radius $3', words: [any, position, distance] },
    { lead: 'geofences create --name $1 --at $2 --radius 200m', words: [any, position] },
    fromFile('geofences', 'import'),
  ],
  'geofences rename': [rename('geofences')],
  'groups add': [{ lead: 'vehicles groups $2 --add $1', words: [any, any] }],
  'groups remove': [{ lead: 'vehicles groups $2 --remove $1', words: [any, any] }],
  'groups create': [fromFile('groups'), { lead: 'groups create --name $1', words: [any] }],
  'groups rename': [rename('groups')],
  'people create': [
    fromFile('people'),
    { lead: 'people create --first-name $1 --last-name $2 --is-driver', words: [any, any] },
  ],
  'vehicles rename': [rename('vehicles')],
};

/** Returns the suggested command; null when no form matches, or a shell changes a word. */
export function formOf(noun: string, verbs: readonly string[], words: readonly string[]): string | null {
  if (!words.every(isPlain)) return null;
  const candidates = verbs.flatMap((verb) => {
    const name = `${noun} ${verb}`;
    return Object.hasOwn(forms, name) ? (forms[name] ?? []) : [];
  });
  const form = candidates.find(
    (one) => one.words.length === words.length && one.words.every((kind, index) => kind.test(words[index] ?? '')),
  );
  if (form === undefined) return null;
  const typed = words.map((word) => (word.includes(' ') ? `"${word}"` : word));
  return `fleet ${form.lead.replace(/\$(\d)/g, (_, number: string) => typed[Number(number) - 1] ?? '')}`;
}

/** Returns true when a verb takes this many words; `create` of an unloaded noun takes none. */
export function takesWords(noun: Command | undefined, verb: string, count: number): boolean {
  const command = noun?.commands.find((below) => below.name() === verb);
  if (command === undefined) return verb !== 'create' || count === 0;
  const { registeredArguments } = command;
  return registeredArguments.some(({ variadic }) => variadic) || registeredArguments.length >= count;
}

/** Returns the position that a space has split, as in `--at 58.38, 26.72`; null without one. */
export function brokenPosition(values: readonly string[]): string | null {
  const half = values.find((value) => /^-?\d+(\.\d+)?,$/.test(value));
  const other = values.find((value) => /^-?\d+(\.\d+)?$/.test(value));
  return half === undefined || other === undefined ? null : `${half}${other}`;
}
