// Builds the commander program: global flags, and one command per noun, which is loaded on demand.
import type { Command } from 'commander';
import type { Context } from '../context/context.js';
import { examples, type OpenContext } from '../context/define-command.js';
import { DocumentedCommand } from '../help/documented-command.js';
import { formatHelp } from '../help/page.js';
import { helpTopics } from '../help/topic-names.js';
import { columnsOf, type Io } from '../io/io.js';
import { addGlobals } from './global-flags.js';
import { registry } from './registry.js';
import { version } from './version.js';

const width = Math.max(...Object.keys(helpTopics).map((topic) => topic.length));

const afterHelp = `${examples(
  ['fleet vehicles list --demo', 'try it without an account'],
  ['fleet login --base-url https://…', 'log in; prompts for the rest'],
  ['fleet vehicles get "Truck 07"', 'one vehicle, by name, plate, VIN or id'],
)}

More help:
${Object.entries(helpTopics)
  .map(([topic, about]) => `  fleet help ${topic.padEnd(width)}  ${about}`)
  .join('\n')}`;

/** Returns the program. `contextOf` opens the context with the parsed global flags. */
export function createProgram(
  io: Io,
  contextOf: (program: Command, ...how: Parameters<OpenContext>) => Context,
): Command {
  const program = new DocumentedCommand('fleet');
  program
    .description('The command line of the fleet telematics service.')
    .usage('<command> [options]')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .configureHelp({ formatHelp, minWidthToWrap: 20 })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // Commander writes here only for a noun without a verb, and then it prints the help.
      writeErr: (text) => io.stdout.write(text),
      // All errors are printed by print-failure.ts.
      outputError: () => undefined,
      getOutHelpWidth: () => columnsOf(io.stdout),
      getErrHelpWidth: () => columnsOf(io.stdout),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride()
    // hints/ makes the suggestions.
    .showSuggestionAfterError(false)
    .addHelpText('beforeAll', ({ command }) => refuseUnknown(command))
    .addHelpText('after', afterHelp);
  addGlobals(program);

  for (const [name, [description]] of Object.entries(registry)) program.command(name).description(description);
  program.hook('preSubcommand', (_program, noun) => loadNoun(io, noun, (how) => contextOf(program, how)));

  // For the completion scripts. They pass the words after `--`, so that none is parsed as a flag.
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .option('--marked', 'the last word begins with an extra character, so that it is never empty')
    .action(async (words: readonly string[], { marked }: { readonly marked?: true }) => {
      const { answer } = await import('../completion/answer.js');
      const tree = createProgram(io, contextOf);
      const typed = marked ? [...words.slice(0, -1), words.at(-1)?.slice(1) ?? ''] : words;
      const load = (noun: Command) => loadNoun(io, noun, (how) => contextOf(tree, how));
      await answer(io, tree, typed, load, (flags) => {
        for (const [name, value] of Object.entries(flags)) tree.setOptionValue(name, value);
        return contextOf(tree);
      });
    });
  return program;
}

export async function loadNoun(io: Io, noun: Command, open: OpenContext): Promise<void> {
  const entry = registry[noun.name()];
  if (!entry) return;
  const { define } = await entry[1](io);
  define(noun, open);
}

/** Returns a program with all commands, except those of packages that cannot be loaded. */
export async function loadAll(io: Io, contextOf: (program: Command) => Context): Promise<Command> {
  const program = createProgram(io, contextOf);
  const load = (noun: Command) => loadNoun(io, noun, () => contextOf(program)).catch(() => undefined);
  await Promise.all(program.commands.map(load));
  return program;
}

/** Throws for `fleet vehicles nope --help`, where commander would print another help text. */
function refuseUnknown(command: Command): string {
  const [word] = command.args;
  if (word === undefined || word.startsWith('-') || command.commands.length === 0) return '';
  // Identical to commander's text for an unknown command.
  return command.error(`error: unknown command '${word}'`, { code: 'commander.unknownCommand' });
}
