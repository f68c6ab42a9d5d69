// What a module in commands/ exports: a function that adds verbs, flags and examples to the commander command of its noun.
import type { Command } from 'commander';
import type { Context } from './context.js';

/**
 * Returns the context of the run. Call it inside an action, when the flags have been parsed. `isEndless`: the command goes on until it is
 * interrupted, as under --watch.
 */
export type OpenContext = (how?: { readonly isEndless: boolean }) => Context;

export type DefineCommand = (noun: Command, open: OpenContext) => void;

/** The examples at the end of a help text: each is a command and its meaning. */
export function examples(...lines: readonly (readonly [command: string, meaning: string])[]): string {
  const width = Math.max(...lines.map(([command, meaning]) => (meaning === '' ? 0 : command.length)));
  return `\nExamples:\n${lines.map(([command, meaning]) => `  ${command.padEnd(width)}  ${meaning}`.trimEnd()).join('\n')}`;
}
