// Writes the man page man/fleet.1, with the macros of man(7).
import { noteText } from '../../src/cli/help/documented-command.js';
import type { CommandPage, Example, Flag, Note } from './tree.js';

export function manualOf(program: CommandPage, version: string): string {
  const { name } = program;
  return `${[
    `.\\" Written by npm run docs:cli from the commands themselves.`,
    `.TH ${name.toUpperCase()} 1 "" "fleet-telematics ${roff(version)}" "User Commands"`,
    '.SH NAME',
    `${roff(name)} \\- ${roff(lowerFirst(program.about).replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    `.B ${roff(name)}`,
    `.I command`,
    roff('[verb] [arguments] [options]'),
    '.SH DESCRIPTION',
    roff(program.about),
    `Most commands are a noun and a verb. ${bold('--help')} after a command prints its arguments and options.`,
    ...examples(program.examples),
    '.SH OPTIONS',
    'Put these before or after the name of a command. A command refuses those that would have no effect on it.',
    ...flags(program.flags),
    '.SH COMMANDS',
    ...program.commands.flatMap(command),
    ...program.notes.flatMap((note) => section(note)),
    '.SH FILES',
    '.TP',
    roff('$XDG_CONFIG_HOME/fleet-telematics, ~/.config/fleet-telematics'),
    'Profiles (config.json), tokens of sessions (sessions) and locks (turns). FLEET_CONFIG_DIR sets another folder.',
  ].join('\n')}\n`;
}

function command(page: CommandPage): readonly string[] {
  const isNoun = page.commands.length > 0;
  return [
    `.SS ${roff(isNoun ? page.name : page.usage)}`,
    roff(sentence(page.about)),
    ...flags([...page.arguments, ...page.flags]),
    ...page.notes.flatMap(noteParts),
    ...(isNoun ? [] : examples(page.examples)),
    ...page.commands.flatMap(command),
  ];
}

function flags(all: readonly Flag[]): readonly string[] {
  return all.flatMap(({ written, about }) => ['.TP', bold(written), roff(about)]);
}

function examples(all: readonly Example[]): readonly string[] {
  if (all.length === 0) return [];
  const shown = all.flatMap(({ command, meaning }) => [...(meaning === '' ? [] : [`# ${meaning}`]), command]);
  return ['.PP', 'Examples:', '.PP', '.RS 4', '.nf', ...shown.map(roff), '.fi', '.RE'];
}

function section(note: Note): readonly string[] {
  return [...(note.heading === null ? [] : [`.SH ${roff(note.heading.toUpperCase())}`]), ...noteLines(note)];
}

function noteParts(note: Note): readonly string[] {
  return [...(note.heading === null ? [] : ['.PP', roff(`${note.heading}:`)]), ...noteLines(note)];
}

function noteLines(note: Note): readonly string[] {
  const { kind, texts } = noteText(note);
  const lines = texts.map(roff);
  if (kind === 'lines') return ['.nf', ...lines, '.fi'];
  return lines.flatMap((line) => [kind === 'list' ? '.IP \\(bu 2' : '.PP', line]);
}

function bold(text: string): string {
  return `\\fB${roff(text)}\\fR`;
}

/** Escapes backslashes, dashes (roff prints hyphens, which are no flags) and leading . or '. */
function roff(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replaceAll('·', '\\(pc')
    .replaceAll('—', '\\(em')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti');
  return /^\s*[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
