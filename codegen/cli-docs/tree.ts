// Reads the whole command line as data from the definitions of the commands, for docs/cli.md and the man page.
import { PassThrough } from 'node:stream';
import type { Argument, Command, Option } from 'commander';
import type { Context } from '../../src/cli/context/context.js';
import type { Io } from '../../src/cli/io/io.js';
import { createProgram, loadNoun } from '../../src/cli/run/program.js';

export interface Flag {
  /** `-o, --output <format>` */
  readonly written: string;
  readonly about: string;
}

export interface Example {
  readonly command: string;
  /** What the command does; empty if the command itself says it. */
  readonly meaning: string;
}

/** Text after the flags of a help text: under a heading, or as a paragraph. */
export interface Note {
  readonly heading: string | null;
  readonly lines: readonly string[];
}

export interface CommandPage {
  /** `fleet vehicles list`. */
  readonly name: string;
  /** `fleet vehicles list [options]`, without the global flags. */
  readonly usage: string;
  readonly summary: string;
  readonly about: string;
  readonly arguments: readonly Flag[];
  readonly flags: readonly Flag[];
  readonly examples: readonly Example[];
  readonly notes: readonly Note[];
  readonly commands: readonly CommandPage[];
}

/** The page of `fleet`, with the pages of all nouns and verbs. */
export async function readTree(): Promise<CommandPage> {
  const printed = { text: '' };
  const program = createProgram(silentIo(printed), notRun);
  for (const noun of program.commands) await loadNoun(noun, () => notRun());
  return pageOf(program, printed);
}

function pageOf(command: Command, printed: { text: string }): CommandPage {
  const after = notesOf(afterHelpOf(command, printed));
  const about = paragraph(command.description());
  return {
    name: pathOf(command),
    usage: `${pathOf(command)} ${command.usage()}`.trim(),
    summary: command.summary() || about,
    about,
    arguments: command.registeredArguments.filter(({ description }) => description !== '').map(argumentOf),
    flags: command.options.filter(({ hidden }) => !hidden).map(flagOf),
    examples: after.flatMap(({ heading, lines }) => (heading === 'Examples' ? lines.map(exampleOf) : [])),
    notes: after.filter(({ heading }) => heading !== 'Examples'),
    commands: command.commands.filter((below) => !below.name().startsWith('__')).map((below) => pageOf(below, printed)),
  };
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

function argumentOf(argument: Argument): Flag {
  const [open, close] = argument.required ? ['<', '>'] : ['[', ']'];
  const written = `${open}${argument.name()}${argument.variadic ? '...' : ''}${close}`;
  return { written, about: `${argument.description}${choicesText(argument.argChoices)}` };
}

function flagOf(option: Option): Flag {
  const preset: unknown = option.defaultValue;
  const isTold = (typeof preset === 'string' || typeof preset === 'number') && !option.negate;
  const about = `${option.description}${choicesText(option.argChoices)}`;
  return { written: option.flags, about: isTold ? `${about} (default: ${preset})` : about };
}

function choicesText(choices: readonly string[] | undefined): string {
  return choices ? ` (${choices.join(', ')})` : '';
}

/** Joins the lines of a text that is wrapped for a terminal. */
function paragraph(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').trim();
}

/** Commander gives text that was added to a help text only when it prints the whole help text. */
function afterHelpOf(command: Command, printed: { text: string }): string {
  printed.text = '';
  command.outputHelp();
  return printed.text.slice(command.helpInformation().length);
}

function notesOf(text: string): readonly Note[] {
  const blocks = text.split(/\n\s*\n/).map((block) => block.split('\n').filter((line) => line.trim() !== ''));
  return blocks.flatMap(([first, ...lines]): readonly Note[] => {
    if (first === undefined) return [];
    const heading = /^\S.*:$/.test(first) && lines.length > 0 ? first.slice(0, -1) : null;
    return [{ heading, lines: heading === null ? [first, ...lines] : lines }];
  });
}

/** Command and meaning are in columns, at least two spaces apart. */
function exampleOf(line: string): Example {
  const [command = '', meaning = ''] = line.trim().split(/ {2,}(?=[^ ].*$)/);
  return { command, meaning };
}

function notRun(): Context {
  throw new TypeError('the commands are only read here');
}

function silentIo(printed: { text: string }): Io {
  const stream = new PassThrough();
  const stdout = Object.assign(new PassThrough(), {
    columns: 80,
    write: (text: string) => {
      printed.text += text;
      return true;
    },
  });
  return { stdin: stream, stdout, stderr: stream, env: {}, signal: new AbortController().signal };
}
