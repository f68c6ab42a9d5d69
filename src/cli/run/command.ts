// What a module in commands/ gives: it hangs its verbs, flags and examples on the commander command of its noun.
import type { Command } from 'commander';
import type { Context } from './context.js';

/** `open` gives the context of the run; call it inside an action, when the flags have been read. */
export type DefineCommand = (noun: Command, open: () => Context) => void;

/** Examples as the last part of a help text; each is what to type, and what it does. */
export function examples(...lines: readonly (readonly [command: string, meaning: string])[]): string {
  const width = Math.max(...lines.map(([command]) => command.length));
  return `\nExamples:\n${lines.map(([command, meaning]) => `  ${command.padEnd(width)}  ${meaning}`.trimEnd()).join('\n')}`;
}
