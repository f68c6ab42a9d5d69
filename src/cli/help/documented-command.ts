// A commander command that stores its help texts as data, and refuses repeated flags.
import { type AddHelpTextContext, type AddHelpTextPosition, Command, type Option } from 'commander';

/** Code of the parser error for a repeated flag. */
export const REPEATED_FLAG = 'fleet.givenTwice';

/** True for a flag that may be repeated, as its description says. */
export function isRepeatable({ description }: Option): boolean {
  return /\brepeat\b/.test(description);
}

/** A part of a help text, with or without a heading. */
export interface HelpBlock {
  readonly heading: string | null;
  /** Indents included. */
  readonly lines: readonly string[];
}

export class DocumentedCommand extends Command {
  readonly #texts: (string | ((context: AddHelpTextContext) => string))[] = [];

  override createCommand(name?: string): DocumentedCommand {
    return new DocumentedCommand(name);
  }

  /** Adds an option. Parsing throws a CommanderError when it is repeated but not repeatable. */
  override addOption(option: Option): this {
    super.addOption(option);
    if (isRepeatable(option)) return this;
    let isTyped = false;
    return this.on(`option:${option.name()}`, () => {
      if (isTyped) this.error(`error: ${option.long} is given twice.`, { code: REPEATED_FLAG });
      isTyped = true;
    });
  }

  override addHelpText(position: AddHelpTextPosition, text: string | ((context: AddHelpTextContext) => string)): this {
    // Both types of `text` are valid, but commander has one overload for each.
    if (position !== 'after') return super.addHelpText(position, text as string);
    this.#texts.push(text);
    return this;
  }

  /** Texts added with `addHelpText('after', …)`, in order. */
  get blocks(): readonly HelpBlock[] {
    const context = { error: false, command: this };
    return this.#texts.flatMap((text) => blocksOf(typeof text === 'string' ? text : text(context)));
  }
}

/** Splits a text at empty lines. An unindented first line that ends in a colon is a heading. */
export function blocksOf(text: string): readonly HelpBlock[] {
  const blocks = text.split(/\n\s*\n/).map((block) => block.split('\n').filter((line) => line.trim() !== ''));
  return blocks.flatMap(([first, ...lines]): readonly HelpBlock[] => {
    if (first === undefined) return [];
    const isHeading = /^[^\s-].*:$/.test(first) && lines.length > 0;
    return [isHeading ? { heading: first.slice(0, -1), lines } : { heading: null, lines: [first, ...lines] }];
  });
}

/** A note, ready to be wrapped. `lines`: columns that keep their line breaks. */
export interface NoteText {
  readonly kind: 'list' | 'paragraph' | 'lines';
  readonly texts: readonly string[];
}

/** Returns the items of a list (`- …`), the lines below a heading, or one paragraph. */
export function noteText({ heading, lines }: HelpBlock): NoteText {
  const join = (parts: readonly string[]) => parts.map((part) => part.trim()).join(' ');
  if (lines[0]?.startsWith('- ')) {
    const items = lines.join('\n').slice(2).split('\n- ');
    return { kind: 'list', texts: items.map((item) => join(item.split('\n'))) };
  }
  return heading === null ? { kind: 'paragraph', texts: [join(lines)] } : { kind: 'lines', texts: lines };
}
