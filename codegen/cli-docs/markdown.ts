// Writes docs/cli.md: every command with its flags and examples.
import type { CommandPage, Flag, Note } from './tree.js';

export function markdownOf(program: CommandPage): string {
  return `${[
    '# The command line',
    '<!-- Written by `npm run docs:cli` from the commands themselves. -->',
    `${program.about} \`${program.name} <command> --help\` says the same in a terminal, \`man ${program.name}\` where the manual is installed.`,
    ...exampleBlock(program),
    table(
      ['command', 'what it is for'],
      program.commands.map((noun) => [`[\`${noun.name}\`](#${anchorOf(noun.name)})`, cell(noun.summary)]),
    ),
    '## Flags of many commands',
    flagTable('flag', program.flags),
    ...program.notes.flatMap((note) => notePart(note, '##')),
    ...program.commands.flatMap((noun) => commandPart(noun, '##')),
  ].join('\n\n')}\n`;
}

function commandPart(page: CommandPage, level: '##' | '###'): readonly string[] {
  const isNoun = page.commands.length > 0;
  return [
    `${level} ${page.name}`,
    sentence(page.about),
    ...(isNoun ? [] : [fenced('', [page.usage])]),
    ...(page.arguments.length > 0 ? [flagTable('argument', page.arguments)] : []),
    ...(page.flags.length > 0 ? [flagTable('flag', page.flags)] : []),
    // The verbs of a noun have better examples.
    ...(isNoun ? [] : exampleBlock(page)),
    ...page.notes.flatMap((note) => notePart(note, null)),
    ...page.commands.flatMap((verb) => commandPart(verb, '###')),
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

function notePart({ heading, lines }: Note, level: '##' | null): readonly string[] {
  if (heading === null) return [sentence(lines.map((line) => line.trim()).join(' '))];
  const indent = Math.min(...lines.map((line) => line.length - line.trimStart().length));
  const text = lines.map((line) => line.slice(indent));
  return [level === null ? `${heading}:` : `${level} ${heading}`, fenced('text', text)];
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
