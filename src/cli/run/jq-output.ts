// Collects the output of a command under --jq, and prints the result of the expression.
import { Writable } from 'node:stream';
import type { Context } from '../context/context.js';
import { writeOutput } from '../context/write-output.js';
import { refusal } from '../errors/cli-error.js';
import type { Jq } from '../output/jq.js';

export interface JqOutput {
  readonly context: Context;
  /** Prints the results. Throws CliError USAGE when the expression does not fit. */
  print(): Promise<void>;
}

/** @throws CliError USAGE for an endless command */
export function jqOutput(outerContext: Context, jq: Jq, isEndless: boolean): JqOutput {
  if (isEndless) {
    throw refusal('--jq reads a complete result, and this command has no end.', {
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
  const io = Object.create(outerContext.io, { stdout: { value: stdout, enumerable: true } });
  return {
    context: { ...outerContext, io },
    async print() {
      const json = texts.splice(0).join('');
      if (json === '') return;
      const { text, failure } = await jq.apply(json);
      await writeOutput(outerContext, [text]);
      if (failure) throw failure;
    },
  };
}
