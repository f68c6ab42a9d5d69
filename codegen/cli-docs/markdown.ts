// Writes docs/cli.md: every command with its flags and examples.
import { type NoteText, noteText } from '../../src/cli/help/documented-command.js';
import type { CommandPage, Flag, Note } from './tree.js';

/** Longest line of a paragraph. */
const COLUMNS = 120;

/** Number of commands from which on a note is printed once, and linked. */
const SHARED_BY = 3;

export function markdownOf(program: CommandPage): string {
  const shared = sharedNotes(program);
  return `${[
    '# The command line',
    '<!-- Written by `npm run docs:cli` from the commands themselves. -->',
    wrap(
      `${program.about} \`${program.name} <command> --help\` prints the same texts in a terminal, and so does \`man ${program.name}\` where the manual is installed.`,
    ),
    ...exampleBlock(program),
    table(
      ['command', 'what it is for'],
      program.commands.map((noun) => [`[\`${noun.name}\`](#${anchorOf(noun.name)})`, cell(noun.summary)]),
    ),
    '## Flags of many commands',
    flagTable('flag', program.flags),
    ...[...program.notes, ...shared.values()].flatMap((note) => notePart(note, '##')),
    ...program.commands.flatMap((noun) => commandPart(noun, '##', shared)),
  ].join('\n\n')}\n`;
}

function commandPart(page: CommandPage, level: '##' | '###', shared: SharedNotes): readonly string[] {
  const isNoun = page.commands.length > 0;
  const links = page.notes.flatMap((note) => shared.get(keyOf(note))?.heading ?? []).map(linkTo);
  return [
    `${level} ${page.name}`,
    wrap(sentence(page.about)),
    ...(isNoun ? [] : [fenced('', [page.usage])]),
    ...(page.arguments.length > 0 ? [flagTable('argument', page.arguments)] : []),
    ...(page.flags.length > 0 ? [flagTable('flag', page.flags)] : []),
    // The verbs of a noun have better examples.
    ...(isNoun ? [] : exampleBlock(page)),
    ...page.notes.filter((note) => !shared.has(keyOf(note))).flatMap((note) => notePart(note, null)),
    ...(links.length > 0 ? [`See ${links.join(' and ')}.`] : []),
    ...page.commands.flatMap((verb) => commandPart(verb, '###', shared)),
  ];
}

function exampleBlock({ examples }: CommandPage): readonly string[] {
  if (examples.length === 0) return [];
  const width = Math.max(...examples.map(({ command, meaning }) => (meaning === '' ? 0 : command.length)));
  return [
    fenced(
      'sh',
      examples.map(({ command, meaning }) => (meaning === '' ? command : `${command.padEnd(width)}  # ${meaning}`)),
    ),
  ];
}

function notePart(note: Note, level: '##' | null): readonly string[] {
  const heading = level === null ? `${note.heading}:` : `${level} ${note.heading}`;
  return [...(note.heading === null ? [] : [heading]), bodyOf(noteText(note))];
}

function bodyOf({ kind, texts }: NoteText): string {
  if (kind === 'lines') return fenced('text', unindent(texts));
  if (kind === 'paragraph') return wrap(sentence(texts.join(' ')));
  return texts.map((text) => `- ${wrap(cell(text), COLUMNS - 2).replaceAll('\n', '\n  ')}`).join('\n');
}

function unindent(lines: readonly string[]): readonly string[] {
  const indent = Math.min(...lines.map((line) => line.length - line.trimStart().length));
  return lines.map((line) => line.slice(indent));
}

type SharedNotes = ReadonlyMap<string, Note>;

/** Returns the notes with a heading that several commands have, by their keys. */
function sharedNotes(program: CommandPage): SharedNotes {
  const notes = allNotes(program).filter(({ heading }) => heading !== null);
  const count = (key: string) => notes.filter((note) => keyOf(note) === key).length;
  return new Map(notes.map((note) => [keyOf(note), note] as const).filter(([key]) => count(key) >= SHARED_BY));
}

function allNotes({ commands }: CommandPage): readonly Note[] {
  return commands.flatMap((command) => [...command.notes, ...allNotes(command)]);
}

function keyOf({ heading, lines }: Note): string {
  return [heading, ...lines].join('\n');
}

function linkTo(heading: string): string {
  return `[${heading}](#${anchorOf(heading)})`;
}

/** Breaks lines at spaces, but not before a mark that begins a list, a quote or a heading. */
function wrap(text: string, columns = COLUMNS): string {
  const words = text.split(/ (?![-+*#=]+(?: |$)|\\?>|\d+[.)] )/);
  return words.reduce((lines, word) => {
    const line = lines.slice(lines.lastIndexOf('\n') + 1);
    return `${lines}${line.length + 1 + word.length > columns ? '\n' : ' '}${word}`;
  });
}

function flagTable(title: string, flags: readonly Flag[]): string {
  return table(
    [title, ''],
    flags.map(({ written, about }) => [`\`${written.replaceAll('|', '\\|')}\``, cell(about)]),
  );
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Escapes `<`, which begins a tag, and `|`, which ends a cell. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/</g, '\\<');
}

function sentence(text: string): string {
  const whole = cell(text);
  return `${whole.charAt(0).toUpperCase()}${whole.slice(1)}${/[.:]$/.test(whole) ? '' : '.'}`;
}

function fenced(language: string, lines: readonly string[]): string {
  return ['```'.concat(language), ...lines, '```'].join('\n');
}

export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}
