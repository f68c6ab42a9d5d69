import { Command } from "commander";
const GIVEN_TWICE = "fleet.givenTwice";
function isRepeatable({ description }) {
  return /\brepeat\b/.test(description);
}
class DocumentedCommand extends Command {
  #texts = [];
  createCommand(name) {
    return new DocumentedCommand(name);
  }
  /** @throws CommanderError from the parser, for a flag that is typed twice and does not add up */
  addOption(option) {
    super.addOption(option);
    if (isRepeatable(option)) return this;
    let isTyped = false;
    return this.on(`option:${option.name()}`, () => {
      if (isTyped) this.error(`error: ${option.long} is given twice.`, { code: GIVEN_TWICE });
      isTyped = true;
    });
  }
  addHelpText(position, text) {
    if (position !== "after") return super.addHelpText(position, text);
    this.#texts.push(text);
    return this;
  }
  /** The texts added with `addHelpText('after', …)`, in order. */
  get blocks() {
    const context = { error: false, command: this };
    return this.#texts.flatMap((text) => blocksOf(typeof text === "string" ? text : text(context)));
  }
}
function blocksOf(text) {
  const blocks = text.split(/\n\s*\n/).map((block) => block.split("\n").filter((line) => line.trim() !== ""));
  return blocks.flatMap(([first, ...lines]) => {
    if (first === void 0) return [];
    const isHeading = /^\S.*:$/.test(first) && lines.length > 0;
    return [isHeading ? { heading: first.slice(0, -1), lines } : { heading: null, lines: [first, ...lines] }];
  });
}
export {
  DocumentedCommand,
  GIVEN_TWICE,
  blocksOf,
  isRepeatable
};
