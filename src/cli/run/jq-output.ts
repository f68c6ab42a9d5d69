// Collects what a command prints under --jq, and prints what the expression makes of it.
import { Writable } from 'node:stream';
import type { Context } from '../context/context.js';
import { writeOutput } from '../context/write-output.js';
import { CliError } from '../errors/cli-error.js';

export interface JqOutput {
  /** The context of the command, whose output is collected. */
  readonly context: Context;
  /** Prints the results. @throws CliError USAGE when the expression does not fit */
  print(): Promise<void>;
}

/** @throws CliError USAGE under --watch, which has no end. */
export function jqOutput(given: Context, expression: string, isWatching: boolean): JqOutput {
  if (isWatching) {
    throw new CliError('USAGE', '--jq reads a complete result, which --watch has not. Nothing was sent.', {
      hint: 'Pipe -o ndjson into jq instead: fleet … --watch -o ndjson | jq --unbuffered …',
    });
  }
  const texts: string[] = [];
  const stdout = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      texts.push(text);
      done();
    },
  });
  // Each stream is still opened at its first use.
  const io = Object.create(given.io, { stdout: { value: stdout, enumerable: true } });
  return {
    context: { ...given, io },
    async print() {
      const json = texts.splice(0).join('');
      if (json === '') return;
      const { applyJq } = await import('../output/jq.js');
      const { text, failure } = await applyJq(json, expression);
      await writeOutput(given, [text]);
      if (failure) throw failure;
    },
  };
}
