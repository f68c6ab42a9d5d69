// A commander command that keeps the texts added to its help as data, so that the help can begin with the examples, and docs/cli.md and
// the man page can be written from them. It refuses a flag that is typed twice.
import { type AddHelpTextContext, type AddHelpTextPosition, Command, type Option } from 'commander';

/** The code of the parser's error about a flag that is typed twice. */
export const GIVEN_TWICE = 'fleet.givenTwice';

/** Returns true for a flag whose values add up; its description says so. */
export function isRepeatable({ description }: Option): boolean {
  return /\brepeat\b/.test(description);
}

/** Text under a heading, or a paragraph. */
export interface HelpBlock {
  readonly heading: string | null;
  /** As typed, with their indents. */
  readonly lines: readonly string[];
}

export class DocumentedCommand extends Command {
  readonly #texts: (string | ((context: AddHelpTextContext) => string))[] = [];

  override createCommand(name?: string): DocumentedCommand {
    return new DocumentedCommand(name);
  }

  /** @throws CommanderError from the parser, for a flag that is typed twice and does not add up */
  override addOption(option: Option): this {
    super.addOption(option);
    if (isRepeatable(option)) return this;
    let isTyped = false;
    return this.on(`option:${option.name()}`, () => {
      if (isTyped) this.error(`error: ${option.long} is given twice.`, { code: GIVEN_TWICE });
      isTyped = true;
    });
  }

  override addHelpText(position: AddHelpTextPosition, text: string | ((context: AddHelpTextContext) => string)): this {
    // Both forms of `text` are the same to commander, whose types have an overload for each.
    if (position !== 'after') return super.addHelpText(position, text as string);
    this.#texts.push(text);
    return this;
  }

  /** The texts added with `addHelpText('after', …)`, in order. */
  get blocks(): readonly HelpBlock[] {
    const context = { error: false, command: this };
    return this.#texts.flatMap((text) => blocksOf(typeof text === 'string' ? text : text(context)));
  }
}

/** Blocks are separated by empty lines. A first line at the margin that ends in a colon is the heading of the lines below it. */
export function blocksOf(text: string): readonly HelpBlock[] {
  const blocks = text.split(/\n\s*\n/).map((block) => block.split('\n').filter((line) => line.trim() !== ''));
  return blocks.flatMap(([first, ...lines]): readonly HelpBlock[] => {
    if (first === undefined) return [];
    const isHeading = /^\S.*:$/.test(first) && lines.length > 0;
    return [isHeading ? { heading: first.slice(0, -1), lines } : { heading: null, lines: [first, ...lines] }];
  });
}
