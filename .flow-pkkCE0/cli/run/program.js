import { examples } from "../context/define-command.js";
import { DocumentedCommand } from "../help/documented-command.js";
import { formatHelp } from "../help/page.js";
import { helpTopics } from "../help/topic-names.js";
import { columnsOf } from "../io/io.js";
import { addGlobals } from "./global-flags.js";
import { registry } from "./registry.js";
import { version } from "./version.js";
const width = Math.max(...Object.keys(helpTopics).map((topic) => topic.length));
const afterHelp = `${examples(
  ["fleet vehicles list --demo", "try it without an account"],
  ["fleet login --base-url https://\u2026", "log in; prompts for the rest"],
  ['fleet vehicles get "Truck 07"', "one vehicle, by name, plate, VIN or id"]
)}

More help:
${Object.entries(helpTopics).map(([topic, about]) => `  fleet help ${topic.padEnd(width)}  ${about}`).join("\n")}`;
function createProgram(io, contextOf) {
  const program = new DocumentedCommand("fleet");
  program.description("The command line of the fleet telematics service.").usage("<command> [options]").version(version, "-V, --version", "print the version").helpOption("-h, --help", "show help").helpCommand(false).configureHelp({ formatHelp, minWidthToWrap: 20 }).configureOutput({
    writeOut: (text) => io.stdout.write(text),
    // Commander writes here only when a noun is given without a verb, and then it prints the help.
    writeErr: (text) => io.stdout.write(text),
    // All errors are printed by print-failure.ts.
    outputError: () => void 0,
    getOutHelpWidth: () => columnsOf(io.stdout),
    getErrHelpWidth: () => columnsOf(io.stdout),
    getOutHasColors: () => false,
    getErrHasColors: () => false
  }).exitOverride().showSuggestionAfterError(false).addHelpText("beforeAll", ({ command }) => refuseUnknown(command)).addHelpText("after", afterHelp);
  addGlobals(program);
  for (const [name, [description]] of Object.entries(registry)) program.command(name).description(description);
  program.hook("preSubcommand", (_program, noun) => loadNoun(io, noun, (how) => contextOf(program, how)));
  program.command("__complete", { hidden: true }).argument("[words...]").option("--marked", "the last word begins with an extra character, so that it is never empty").action(async (words, { marked }) => {
    const { answer } = await import("../completion/answer.js");
    const tree = createProgram(io, contextOf);
    const typed = marked ? [...words.slice(0, -1), words.at(-1)?.slice(1) ?? ""] : words;
    const load = (noun) => loadNoun(io, noun, (how) => contextOf(tree, how));
    await answer(io, tree, typed, load, (flags) => {
      for (const [name, value] of Object.entries(flags)) tree.setOptionValue(name, value);
      return contextOf(tree);
    });
  });
  return program;
}
async function loadNoun(io, noun, open) {
  const entry = registry[noun.name()];
  if (!entry) return;
  const { define } = await entry[1](io);
  define(noun, open);
}
function refuseUnknown(command) {
  const [word] = command.args;
  if (word === void 0 || word.startsWith("-") || command.commands.length === 0) return "";
  return command.error(`error: unknown command '${word}'`, { code: "commander.unknownCommand" });
}
export {
  createProgram,
  loadNoun
};
