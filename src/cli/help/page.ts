// Lays out the help of a command: examples first, commands before options, and one line about the options of every command.
import type { Command, Help, Option } from 'commander';
import { DocumentedCommand, type HelpBlock } from './documented-command.js';
import { groupOf, nounGroups } from './noun-groups.js';

interface Item {
  readonly term: string;
  readonly about: string;
}

/** For `configureHelp`. */
export function formatHelp(command: Command, helper: Help): string {
  const width = helper.helpWidth ?? 80;
  const blocks = command instanceof DocumentedCommand ? command.blocks : [];
  const isProgram = command.parent === null;
  const options = helper.visibleOptions(command).filter(({ long }) => long !== '--help');
  const sections = [
    [`Usage: ${usageOf(command, helper)}`],
    command.description() === '' ? [] : [helper.boxWrap(command.description(), width)],
    ...blocks.filter(isExamples).map(blockLines),
    ...(isProgram ? nounSections(command, width, helper) : [verbSection(command, width, helper)]),
    itemLines('Arguments', argumentItems(command, helper), width, helper),
    isProgram ? [] : itemLines('Options', optionItems(helper, options), width, helper),
    ...blocks.filter((block) => !isExamples(block)).map((block) => noteLines(block, width, helper)),
    isProgram ? [] : ['Options of every command, such as --output and --filter: fleet help options'],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function usageOf(command: Command, helper: Help): string {
  return command.commands.length === 0 || command.parent === null
    ? helper.commandUsage(command)
    : helper.commandUsage(command).replace(/\[options\] \[command\]$/, '<command> [options]');
}

/** The width of the terminal, or of a pipe, that the help of this command is for. */
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

/** Without `help`, which commander adds to every noun, and commands that only programs call. */
function visibleCommands(command: Command, helper: Help): readonly Command[] {
  return helper.visibleCommands(command).filter((below) => command.commands.includes(below));
}

function nounSections(program: Command, width: number, helper: Help): readonly (readonly string[])[] {
  const nouns = visibleCommands(program, helper);
  return [...Object.keys(nounGroups), null].map((group) => {
    const members = nouns.filter((noun) => groupOf(noun.name()) === group).map((noun) => nounItem(noun));
    return itemLines(group ?? 'Other', inOrderOf(members, group), width, helper, longestTerm(nouns.map(nounItem)));
  });
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

/** Removes the operations of the service, which only the help of a verb names: `list the groups (getGroups)`. */
function withoutOperations(text: string): string {
  return text.replace(/ ?\([^()]*\b[a-z]+[A-Z][A-Za-z]*\b[^()]*\)/g, '');
}

/** Terms and their descriptions in two columns. Empty when there are none. */
export function itemLines(
  heading: string,
  items: readonly Item[],
  width: number,
  helper: Help,
  termWidth = longestTerm(items),
): readonly string[] {
  if (items.length === 0) return [];
  const room = Math.max(20, width - termWidth - 4);
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

/** Sentences of a paragraph are wrapped; what stands under a heading is laid out by hand. */
function noteLines(block: HelpBlock, width: number, helper: Help): readonly string[] {
  return block.heading === null
    ? sentencesOf(block.lines).map((line) => helper.boxWrap(line, width))
    : blockLines(block);
}

/** A source line that ends within a sentence goes on with the next one. */
function sentencesOf(lines: readonly string[]): readonly string[] {
  return lines
    .join('\n')
    .replace(/(?<=[^.:\n])\n(?=\S)/g, ' ')
    .split('\n');
}

function blockLines({ heading, lines }: HelpBlock): readonly string[] {
  return heading === null ? lines : [`${heading}:`, ...lines];
}
