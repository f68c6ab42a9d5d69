// Runs a command of the command line inside of a call, and returns what it prints: a change is planned, sent, checked and written to the journal by
// the same code, with the same words in the journal.
import { Writable } from 'node:stream';
import { Command } from 'commander';
import type { Context } from '../../context/context.js';
import type { DefineCommand } from '../../context/define-command.js';

const nouns = {
  vehicles: () => import('../vehicles.js'),
  people: () => import('../people.js'),
  drivers: () => import('../drivers.js'),
} satisfies Readonly<Record<string, () => Promise<{ readonly define: DefineCommand }>>>;

export type Noun = keyof typeof nouns;

/** `words`: a verb, flags as `--name=value`, and after `--` what could be taken for one. Its JSON; null when it prints nothing. @throws CliError */
export async function printedBy(context: Context, noun: Noun, words: readonly string[]): Promise<unknown> {
  const texts: string[] = [];
  const stdout = new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, _encoding, done) {
      texts.push(String(chunk));
      done();
    },
  });
  const silent = () => undefined;
  const program = new Command('fleet')
    .exitOverride()
    .configureOutput({ writeOut: silent, writeErr: silent, outputError: silent });
  let command: Command | null = null;
  program.hook('preAction', (_program, called) => {
    command = called;
  });
  const { define } = await nouns[noun]();
  define(program.command(noun), () => ({ ...context, command, io: { ...context.io, stdout } }));
  await program.parseAsync([noun, ...words], { from: 'user' });
  const text = texts.join('');
  return text === '' ? null : JSON.parse(text);
}
