// Reads the whole command line as data, for docs/cli.md and the man page.
import { PassThrough } from 'node:stream';
import type { Argument, Command, Option } from 'commander';
import type { Context } from '../../src/cli/context/context.js';
import { blocksOf, DocumentedCommand, type HelpBlock } from '../../src/cli/help/documented-command.js';
import { environmentHelp, exitCodesHelp } from '../../src/cli/help/topics.js';
import type { Io } from '../../src/cli/io/io.js';
import { createProgram, loadNoun } from '../../src/cli/run/program.js';
import { sdkVersion } from '../../src/core/version.js';

const commandOf: Readonly<Record<string, () => Promise<unknown>>> = {
  'fleet-telematics-map': () => import('../../packages/map/src/command.js'),
  'fleet-telematics-sync': () => import('../../packages/sync/src/command.js'),
  'fleet-telematics-mcp': () => import('../../packages/mcp/src/command.js'),
};

export interface Flag {
  /** Such as `-o, --output <format>`. */
  readonly written: string;
  readonly about: string;
}

export interface Example {
  readonly command: string;
  /** Empty when the command explains itself. */
  readonly meaning: string;
}

/** Further help text: a section with a heading, or a paragraph. */
export type Note = HelpBlock;

export interface CommandPage {
  /** Such as `fleet vehicles list`. */
  readonly name: string;
  /** Such as `fleet vehicles list [options]`, without the global flags. */
  readonly usage: string;
  readonly summary: string;
  readonly about: string;
  readonly arguments: readonly Flag[];
  readonly flags: readonly Flag[];
  readonly examples: readonly Example[];
  readonly notes: readonly Note[];
  readonly commands: readonly CommandPage[];
}

export async function readTree(): Promise<CommandPage> {
  const io = silentIo();
  const program = createProgram(io, notRun);
  for (const noun of program.commands) await loadNoun(io, noun, () => notRun());
  const { notes, ...page } = pageOf(program);
  // The topics of `fleet help`; the options of every command are the flags of this page.
  const topics = [environmentHelp, exitCodesHelp].flatMap(blocksOf);
  return { ...page, notes: [...notes.filter(({ heading }) => heading !== 'More help'), ...topics] };
}

function pageOf(command: Command): CommandPage {
  if (!(command instanceof DocumentedCommand)) throw new TypeError(`${command.name()} was not made by its program`);
  const after = command.blocks;
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
    commands: command.commands.filter((below) => !below.name().startsWith('__')).map((below) => pageOf(below)),
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
  const hasShownDefault = (typeof preset === 'string' || typeof preset === 'number') && !option.negate;
  const about = `${option.description}${choicesText(option.argChoices)}`;
  return { written: option.flags, about: hasShownDefault ? `${about} (default: ${preset})` : about };
}

function choicesText(choices: readonly string[] | undefined): string {
  return choices ? ` (${choices.join(', ')})` : '';
}

function paragraph(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').trim();
}

/** Command and meaning are columns, at least two spaces apart. */
function exampleOf(line: string): Example {
  const [command = '', meaning = ''] = line.trim().split(/ {2,}(?=[^ ].*$)/);
  return { command, meaning };
}

function notRun(): Context {
  throw new TypeError('the commands are only read here');
}

function silentIo(): Io {
  const stream = new PassThrough();
  const packages = { versionOf: () => sdkVersion, load: async (name: string) => commandOf[name]?.() };
  return { stdin: stream, stdout: stream, stderr: stream, env: {}, signal: new AbortController().signal, packages };
}
