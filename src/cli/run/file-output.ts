// Writes output to the file of --output-file, for shells that cannot redirect bytes. It is renamed
// at the end: a failure leaves the old file, and nobody reads half a file.
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import { errorCode } from '../../core/error-code.js';
import { refusal } from '../errors/cli-error.js';
import type { OutputStream } from '../io/io.js';

export interface FileOutput {
  readonly stdout: OutputStream;
  /** Renames the temporary file. */
  finish(): void;
  /** Removes the temporary file. */
  discard(): void;
}

/** Opens the file before anything is sent. Throws CliError USAGE when it cannot be written. */
export function fileOutput(file: string): FileOutput {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw refusal(`--output-file ${file} is a folder.`, { hint: 'Name a file in it.' });
  }
  const temporary = `${file}.tmp-${randomUUID()}`;
  let opened: number | null = attempt(file, () => openSync(temporary, 'wx'));
  const close = () => {
    if (opened !== null) closeSync(opened);
    opened = null;
  };
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      try {
        for (let at = 0; opened !== null && at < chunk.length; ) at += writeSync(opened, chunk, at);
        done();
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
  // The callback of the write gets the error.
  stdout.on('error', () => undefined);
  return {
    stdout,
    finish() {
      close();
      attempt(file, () => renameSync(temporary, file));
    },
    discard() {
      close();
      rmSync(temporary, { force: true });
    },
  };
}

function attempt<Result>(file: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw refusal(`--output-file ${file} cannot be written (${errorCode(error) ?? 'unknown error'}).`, {
      hint: 'Check its folder and who may write there.',
    });
  }
}
