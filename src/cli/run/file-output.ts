// The output of a command in a file, for --output-file. It appears under its name when the command has printed all, so that a failure leaves the
// old file as it was, and nobody reads half a file. Some shells cannot redirect bytes; with this flag none has to.
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import { errorCode } from '../../core/error-code.js';
import { refusal } from '../errors/cli-error.js';
import type { OutputStream } from '../io/io.js';

export interface FileOutput {
  readonly stdout: OutputStream;
  /** Gives the file its name. */
  finish(): void;
  /** Removes what has been written. */
  discard(): void;
}

/** Opened before anything is sent. @throws CliError USAGE for a file that cannot be written */
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
  // Whoever writes gets the error.
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
