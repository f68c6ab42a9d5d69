// The export of a module in commands/: defines verbs, flags and examples of its noun.
import type { Command } from 'commander';
import type { Context } from './context.js';

/** Returns the context of a run, inside an action. `isEndless`: runs until interrupted. */
export type OpenContext = (how?: { readonly isEndless: boolean }) => Context;

export type DefineCommand = (noun: Command, open: OpenContext) => void;

export function examples(...lines: readonly (readonly [command: string, meaning: string])[]): string {
  const width = Math.max(...lines.map(([command, meaning]) => (meaning === '' ? 0 : command.length)));
  return `\nExamples:\n${lines.map(([command, meaning]) => `  ${command.padEnd(width)}  ${meaning}`.trimEnd()).join('\n')}`;
}
