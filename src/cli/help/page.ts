// Formats the help of a command: examples first, commands before options.
import type { Command, Help, Option } from 'commander';
import { DocumentedCommand, type HelpBlock, noteText } from './documented-command.js';
import { usesGlobal } from './global-use.js';
import { groupOf, groupsInOneLine, nounGroups } from './noun-groups.js';
import { helpTopics } from './topic-names.js';

interface Item {
  readonly term: string;
  readonly about: string;
}

/** Lines of a screen, and the maximum of a page whose options do not fit one. */
const SCREEN = 24;
const LONGEST = 40;

/** Amount of detail; `--help --all` shows everything. */
interface Detail {
  readonly notes: boolean;
  readonly examples: number;
  /** Descriptions in full, first clause only, or one line. */
  readonly options: 'whole' | 'clause' | 'line';
}

const whole: Detail = { notes: true, examples: Number.POSITIVE_INFINITY, options: 'whole' };
const shorter: readonly Detail[] = [
  { notes: false, examples: 4, options: 'whole' },
  { notes: false, examples: 3, options: 'clause' },
  { notes: false, examples: 3, options: 'line' },
];

/** Formats the help for `configureHelp`, to fit a screen if possible. */
export function formatHelp(command: Command, helper: Help): string {
  const all = pageOf(command, helper, whole);
  // The parser leaves --all among the unknown words.
  if (command.args.includes('--all')) return all;
  const pages = [all, ...shorter.map((detail) => pageOf(command, helper, detail))];
  const fits = (most: number) => pages.find((page) => page.split('\n').length - 1 <= most);
  return (command.parent === null ? pages[1] : (fits(SCREEN) ?? fits(LONGEST) ?? pages.at(-1))) ?? all;
}

function pageOf(command: Command, helper: Help, detail: Detail): string {
  const width = helper.helpWidth ?? 80;
  const blocks = command instanceof DocumentedCommand ? command.blocks : [];
  const isProgram = command.parent === null;
  const options = helper.visibleOptions(command).filter(({ long }) => long !== '--help');
  const items = optionItems(helper, options).map((item) => shortenAbout(item, detail));
  const sections = [
    [`Usage: ${usageOf(command, helper)}`],
    command.description() === '' ? [] : [helper.boxWrap(command.description(), width)],
    ...blocks.filter(isExamples).map((block) => exampleLines(block, detail.examples, width)),
    ...(isProgram ? nounSections(command, width, helper, detail) : [verbSection(command, width, helper)]),
    itemLines('Arguments', argumentItems(command, helper), width, helper),
    isProgram ? [] : optionLines(items, detail, width, helper),
    ...(detail.notes
      ? blocks.filter((block) => !isExamples(block)).map((block) => noteLines(block, width, helper))
      : []),
    footer(command, detail),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function footer(command: Command, { notes }: Detail): readonly string[] {
  if (command.parent === null) {
    return notes
      ? []
      : [
          'More: fleet <command> --help, fleet --help --all,',
          `      ${Object.keys(helpTopics)
            .map((topic) => `fleet help ${topic}`)
            .join(', ')}`,
        ];
  }
  const general = (['--output', '--filter', '--quiet', '--verbose'] as const)
    .filter((flag) => usesGlobal(command, flag.slice(2)))
    .slice(0, 2);
  const options = `Options of many commands, such as ${general.join(' and ')}: fleet help options`;
  return notes ? [options] : [`More: ${pathOf(command)} --help --all`, options];
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** Returns the description without examples, defaults and conditions. */
function shortenAbout(item: Item, { options }: Detail): Item {
  if (options === 'whole') return item;
  return { ...item, about: (/^.+?(?=[;:]| \(|, such as|$)/s.exec(item.about)?.[0] ?? item.about).trim() };
}

function optionLines(items: readonly Item[], { options }: Detail, width: number, helper: Help): readonly string[] {
  if (options !== 'line') return itemLines('Options', items, width, helper);
  const room = Math.max(20, width - longestTerm(items) - 4);
  const first = ({ term, about }: Item): Item => {
    const [line = '', more] = helper.boxWrap(about, room - 2).split('\n');
    return { term, about: more === undefined ? line : `${line.replace(/[,;:]$/, '')} …` };
  };
  return itemLines('Options', items.map(first), width, helper);
}

function usageOf(command: Command, helper: Help): string {
  return command.commands.length === 0 || command.parent === null
    ? helper.commandUsage(command)
    : helper.commandUsage(command).replace(/\[options\] \[command\]$/, '<command> [options]');
}

export function helpWidthOf(command: Command): number {
  return command.configureOutput().getOutHelpWidth?.() ?? 80;
}

export function optionItems(helper: Help, options: readonly Option[]): readonly Item[] {
  return options.map((option) => ({ term: helper.optionTerm(option), about: helper.optionDescription(option) }));
}

function argumentItems(command: Command, helper: Help): readonly Item[] {
  return helper
    .visibleArguments(command)
    .map((argument) => ({ term: helper.argumentTerm(argument), about: helper.argumentDescription(argument) }));
}

/** Returns the commands without `help` and internal ones. */
function visibleCommands(command: Command, helper: Help): readonly Command[] {
  return helper.visibleCommands(command).filter((below) => command.commands.includes(below));
}

function nounSections(
  program: Command,
  width: number,
  helper: Help,
  { notes }: Detail,
): readonly (readonly string[])[] {
  const nouns = visibleCommands(program, helper);
  const groups = [...Object.keys(nounGroups), null].map((group) => {
    const members = nouns.filter((noun) => groupOf(noun.name()) === group).map((noun) => nounItem(noun));
    const items = inOrderOf(members, group);
    const about = group === null ? undefined : groupsInOneLine[group];
    if (about !== undefined && !notes && items.length > 0) {
      const line = `${items.map(({ term }) => term).join(', ')}: ${about}`;
      return [
        `${group}:`,
        ...helper
          .boxWrap(line, width - 2)
          .split('\n')
          .map((part) => `  ${part}`),
      ];
    }
    return itemLines(group ?? 'Other', items, width, helper, longestTerm(nouns.map(nounItem)));
  });
  return notes ? groups : [groups.flat()];
}

function inOrderOf(members: readonly Item[], group: string | null): readonly Item[] {
  const order = group === null ? [] : (nounGroups[group] ?? []);
  return [...members].sort((one, other) => order.indexOf(one.term) - order.indexOf(other.term));
}

function nounItem(noun: Command): Item {
  return { term: noun.name(), about: noun.summary() || noun.description() };
}

function verbSection(noun: Command, width: number, helper: Help): readonly string[] {
  const verbs = visibleCommands(noun, helper).map((verb) => ({
    term: helper.subcommandTerm(verb).replace(' [options]', ''),
    about: withoutOperations(verb.summary() || verb.description()),
  }));
  return itemLines('Commands', verbs, width, helper);
}

/** Removes the names of operations, as in `list the groups (getGroups)`. */
function withoutOperations(text: string): string {
  return text.replace(/ ?\([^()]*\b[a-z]+[A-Z][A-Za-z]*\b[^()]*\)/g, '');
}

/** A narrower column of descriptions is hard to read. */
const NARROWEST = 24;

/** Returns terms and descriptions in two columns, or below each other on a narrow screen. */
export function itemLines(
  heading: string,
  items: readonly Item[],
  width: number,
  helper: Help,
  termWidth = longestTerm(items),
): readonly string[] {
  if (items.length === 0) return [];
  const room = width - termWidth - 4;
  if (room < NARROWEST) {
    const below = ({ term, about }: Item) => [
      `  ${term}`,
      ...helper
        .boxWrap(about, width - 6)
        .split('\n')
        .map((line) => `      ${line}`),
    ];
    return [`${heading}:`, ...items.flatMap(below)];
  }
  const lines = items.flatMap(({ term, about }) => {
    const [first = '', ...more] = helper.boxWrap(about, room).split('\n');
    const indent = ' '.repeat(termWidth + 4);
    return [`  ${term.padEnd(termWidth)}  ${first}`.trimEnd(), ...more.map((line) => `${indent}${line}`)];
  });
  return [`${heading}:`, ...lines];
}

function longestTerm(items: readonly Item[]): number {
  return Math.max(...items.map(({ term }) => term.length));
}

function isExamples({ heading }: HelpBlock): boolean {
  return heading === 'Examples';
}

/** Wraps a note: items with a hanging indent, lines below a heading only if they are too wide. */
function noteLines(block: HelpBlock, width: number, helper: Help): readonly string[] {
  const { kind, texts } = noteText(block);
  const wrap = (text: string): readonly string[] => {
    if (kind === 'lines') return wrapHanging(text, width, helper);
    if (kind === 'paragraph') return [helper.boxWrap(text, width)];
    return [`- ${helper.boxWrap(text, width - 2).replaceAll('\n', '\n  ')}`];
  };
  return [...(block.heading === null ? [] : [`${block.heading}:`]), ...texts.flatMap(wrap)];
}

/** Wraps a line that is too wide below its second column. */
function wrapHanging(line: string, width: number, helper: Help): readonly string[] {
  if (line.length <= width) return [line];
  const [, columns = ''] = /^(\s*\S.*?\s{2,})\S/.exec(line) ?? [];
  const indent = columns !== '' && columns.length <= width / 2 ? columns.length : 4;
  const begin = line.slice(0, indent).trim() === '' ? '' : line.slice(0, indent);
  const [first = '', ...more] = helper.boxWrap(line.slice(begin.length).trim(), width - indent).split('\n');
  return [`${begin === '' ? '  ' : begin}${first}`, ...more.map((text) => `${' '.repeat(indent)}${text}`)];
}

/** Returns the examples. Commands are never broken, because people copy them. */
function exampleLines({ heading, lines }: HelpBlock, most: number, width: number): readonly string[] {
  const parts = lines.slice(0, most).map((line) => {
    const [, command = '', meaning = ''] = /^ *(\S.*?)(?: {2,}(\S.*))?$/.exec(line) ?? [];
    return { command, meaning };
  });
  const fitting = parts.filter(
    ({ command, meaning }) => meaning !== '' && command.length + meaning.length + 4 <= width,
  );
  const column = Math.max(0, ...fitting.map(({ command }) => command.length));
  const shown = parts.flatMap(({ command, meaning }) => {
    if (meaning === '') return [`  ${command}`];
    const room = width - meaning.length - 4;
    if (command.length > room) return [`  ${command}`, `      ${meaning}`];
    return [`  ${command.padEnd(Math.min(column, room))}  ${meaning}`];
  });
  return [`${heading}:`, ...shown];
}
