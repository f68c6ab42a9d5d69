// What a model is told when a tool fails: what happened, and what to do next. Some of it only a person can do.
import { homedir } from 'node:os';
import { configFolder } from '../../core/config-folder.js';
import type { Context } from '../context/context.js';
import { commandFailureOf } from '../errors/exit-codes.js';
import { cleanText } from './answer.js';

const personNeeded: Readonly<Record<string, string>> = {
  AUTHENTICATION: 'The session of this server is broken. A person must run `fleet login` in a terminal.',
  SESSION_EXPIRED: 'The session of this server is over. A person must run `fleet login` in a terminal.',
  CREDENTIALS: 'This server cannot log in. A person must check it with `fleet doctor` in a terminal.',
  CONFIGURATION: 'This server is not set up. A person must run `fleet login` in a terminal.',
  USER_SELECTION:
    'A person must choose for which user this server acts: with `fleet users use`, or with --user where the server is started.',
};

/** What a text for people calls what a model knows by another name. */
const otherWords: readonly (readonly [RegExp, string])[] = [
  [
    /`fleet (?:vehicles|people|groups|geofences|labels|rules|schedules|roles) list[^`]*`/g,
    '`find_record` without a text',
  ],
  [/`fleet reports (?:list|inputs)[^`]*`/g, '`run_report` without a report'],
  [/--([a-z][a-z-]+)/g, '$1'],
];

/** `limitMs`: the time limit that ended it; null when it was not over. */
export function failureText(context: Context, error: unknown, limitMs: number | null): string {
  if (limitMs !== null) {
    return `This took longer than ${Math.round(limitMs / 1_000)} s and was stopped. Ask for less: a shorter period, fewer vehicles, a group.`;
  }
  const { code, message, details, hint, choices = [] } = commandFailureOf(error, false);
  const person = personNeeded[code];
  if (person !== undefined) return safe(context, `${message} ${person} To try again before that is of no use.`);
  const which = choices.slice(0, 10).map((choice) => JSON.stringify(choice));
  const lines = [message, ...details.slice(0, 10), ...(hint === null ? [] : [hint])].map(sentence);
  return safe(context, [...lines, ...which].map(forModels).join(' '));
}

function sentence(line: string): string {
  return /[.:!?]$/.test(line) ? line : `${line}.`;
}

function forModels(line: string): string {
  return otherWords.reduce((text, [words, others]) => text.replace(words, others), line);
}

/** No path of this machine, and nothing that could be taken for more than a message. */
function safe({ io }: Context, text: string): string {
  const paths = [configFolder(io.env), homedir()].filter((path) => path.length > 1);
  return cleanText(
    paths.reduce((rest, path) => rest.replaceAll(path, '(a folder of this machine)'), text),
    1_500,
  );
}
