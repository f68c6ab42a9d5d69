// Explains to a model why a tool failed and what to do next; some failures need a person.
import { homedir } from 'node:os';
import { configFolder } from 'fleet-telematics';
import type { Context } from 'fleet-telematics/kit/command';
import { commandFailureOf } from 'fleet-telematics/kit/command';
import { failureText, type SentAnswer } from './answer.js';
import type { Tool } from './tool.js';
import { CommandError } from './tool-call.js';

const personNeeded: Readonly<Record<string, string>> = {
  AUTHENTICATION: 'The session of this server is broken. A person must run `fleet login` in a terminal.',
  SESSION_EXPIRED: 'The session of this server is over. A person must run `fleet login` in a terminal.',
  CREDENTIALS: 'This server cannot log in. A person must check it with `fleet doctor` in a terminal.',
  CONFIGURATION: 'This server is not set up. A person must run `fleet login` in a terminal.',
  USER_SELECTION:
    'A person must choose for which user this server acts: with `fleet users use`, or with --user where the server is started.',
};

/** Commands in hints, and the equivalent tools. */
const otherWords: readonly (readonly [RegExp, string])[] = [
  [/`fleet reports (?:list|inputs)[^`]*`/g, '`run_report` without a report'],
  [/`fleet trips list [^`]*--sum-by[^`]*`/g, '`sum_trips`'],
  [/`fleet (?:trips|stops) list[^`]*`/g, '`list_trips` or `list_stops`'],
  [/`fleet \w+ list[^`]*`/g, '`find_record` without a text'],
];

/** Returns a text whose hints name only inputs of the tool. */
export function failureAnswer({ io }: Context, tool: Tool, error: unknown): SentAnswer {
  const { code, message, hint, choices, details } = failureOf(error);
  const person = personNeeded[code];
  const which = choices.slice(0, 10).map((choice) => JSON.stringify(choice));
  const more = choices.length > which.length ? [`and ${choices.length - which.length} more`] : [];
  const lines =
    person === undefined
      ? [forTool(message, tool), ...details, ...hintsFor(tool, hint ?? ''), ...which, ...more]
      : [message, person, 'A retry before that fails again.'];
  const paths = [configFolder(io.env), homedir()].filter((path) => path.length > 1);
  const text = lines.map((line) => (/[.:!?}\]]$/.test(line) ? line : `${line}.`)).join(' ');
  return failureText(paths.reduce((rest, path) => rest.replaceAll(path, '(a folder of this machine)'), text));
}

function failureOf(error: unknown) {
  if (error instanceof CommandError) return { ...error, message: error.message, details: [] };
  const { code, message, hint, choices = [], details } = commandFailureOf(error, false);
  return { code, message, hint, choices, details: details.slice(0, 10) };
}

/** Drops sentences of a hint that name commands or flags without an equivalent. */
function hintsFor(tool: Tool, hint: string): readonly string[] {
  const sentences = forTool(hint, tool).split(/(?<=[.:;])\s+(?=[A-Z`])/);
  return sentences.filter((sentence) => sentence !== '' && !/`fleet |--[a-z]/.test(sentence));
}

function forTool(text: string, { input }: Tool): string {
  const lines = otherWords.reduce((rest, [words, others]) => rest.replace(words, others), text);
  return lines.replace(/--([a-z][a-z-]+)/g, (flag, name: string) => {
    const member = name.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
    const others = member === 'filter' ? ['vehicleFilter'] : [member, `${member}s`];
    const own = others.find((one) => Object.hasOwn(input, one));
    return own ?? flag;
  });
}
