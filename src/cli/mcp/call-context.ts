// The context of one call of a tool: it has the service of the server, a report of its own, and no streams, because stdout belongs to the
// protocol.
import { Readable, Writable } from 'node:stream';
import type { Context } from '../context/context.js';
import { Report } from '../context/report.js';

export interface CallPlace {
  readonly signal: AbortSignal;
  /** How far it is, in words. */
  readonly onProgress?: ((text: string) => void) | undefined;
}

/** `texts`: gets what is printed on stdout. */
export function callContext(server: Context, { signal, onProgress }: CallPlace, texts: string[] = []): Context {
  const { env, unfinished, fetch, clock, sleep } = server.io;
  const { demo, timeout, user, profile, baseUrl, redis } = server.globals;
  return {
    ...server,
    report: new Report(),
    io: {
      stdin: Readable.from([]),
      stdout: new Writable({
        decodeStrings: false,
        write(chunk: string | Uint8Array, _encoding, done) {
          texts.push(String(chunk));
          done();
        },
      }),
      stderr: new Writable({ write: (_chunk, _encoding, done) => done() }),
      ...{ env, unfinished, fetch, clock, sleep, signal, onProgress },
    },
    // Nobody can be asked.
    globals: {
      ...{ output: 'json', input: true, headers: true, pager: false, quiet: true },
      ...(demo ? { demo } : {}),
      ...(timeout === undefined ? {} : { timeout }),
      ...(user === undefined ? {} : { user }),
      ...(profile === undefined ? {} : { profile }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(redis === undefined ? {} : { redis }),
    },
  };
}
