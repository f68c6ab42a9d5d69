// Finds names of records for completion, from cache or service. Never prompts, prints or fails.
import { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { readSettings, type Settings } from '../config/settings.js';
import { allowPartial } from '../connection/allow-partial.js';
import { call } from '../connection/call.js';
import { connect, connectLogin } from '../connection/connect.js';
import { type Context, now } from '../context/context.js';
import { Report } from '../context/report.js';
import type { Sleep } from '../io/io.js';
import { recordId, rowsIn, textsOf } from '../records/record-kind.js';
import { isMarkedDeleted } from '../shape/deleted.js';
import type { Candidate } from './candidate.js';
import type { NameKind } from './complete.js';
import { NAMES_FRESH_MS, type NamesOwner, namesFolder, readNames, saveNames } from './name-cache.js';

/** Maximum wait of a Tab for the service. */
const NAMES_WAIT_MS = 1_000;

/** Returns the names. Older ones are used when the service does not answer within a second. */
export async function namesOf(context: Context, kind: NameKind): Promise<readonly Candidate[]> {
  const silent = silentContext(context);
  try {
    if (context.globals.demo) return await namesFromService(silent.context, kind);
    const owner = ownerOf(await readSettings(silent.context));
    if (owner === null) return [];
    const key = typeof kind === 'string' ? kind : kind.placeholder;
    const folder = namesFolder(context.io.env);
    const cached = readNames(folder, owner, key);
    const age = cached === null ? Number.POSITIVE_INFINITY : now(context) - cached.at;
    if (cached !== null && age >= 0 && age < NAMES_FRESH_MS) return cached.names;
    const fresh = await Promise.race([namesFromService(silent.context, kind).catch(() => null), silent.ended]);
    if (fresh === null) return cached?.names ?? [];
    saveNames(folder, owner, key, { at: now(context), names: fresh });
    return fresh;
  } catch {
    return [];
  } finally {
    silent.end();
  }
}

/** Returns the cache key; null without a login. */
function ownerOf({ baseUrl, username, user, savedUser }: Settings): NamesOwner | null {
  if (baseUrl === null || username === null) return null;
  return { baseUrl, username, user: user ?? savedUser?.userId ?? null };
}

/** Returns the context without input and output, with a deadline. */
function silentContext(context: Context) {
  const { io, globals } = context;
  const deadline = new AbortController();
  const stopTimer = new AbortController();
  const sleep: Sleep = io.sleep ?? ((ms, signal) => setTimeout(ms, undefined, { signal }));
  sleep(NAMES_WAIT_MS, stopTimer.signal).then(
    () => deadline.abort(),
    () => undefined,
  );
  const signal = AbortSignal.any([io.signal, deadline.signal]);
  const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  const { verbose: _verbose, ...flags } = globals;
  const ended = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }));
  return {
    context: {
      ...context,
      globals: { ...flags, input: false, quiet: true } as const,
      report: new Report(),
      io: {
        stdin: Readable.from([]),
        stdout: nowhere(),
        stderr: nowhere(),
        env: io.env,
        signal,
        unfinished: io.unfinished,
        fetch: io.fetch,
        clock: io.clock,
      },
    } satisfies Context,
    ended,
    end: () => stopTimer.abort(),
  };
}

async function namesFromService(context: Context, kind: NameKind): Promise<readonly Candidate[]> {
  if (kind === 'user') return usersOf(context);
  const client = await connect(context);
  if (kind === 'report') {
    const reports = await allowPartial(context, (options) => call(client, 'getWrappedReportInputs', {}, options));
    return candidates(reports.map(({ id, title }) => [id, title]));
  }
  const listed = await allowPartial(context, (options) =>
    call(client, kind.list, {}, { ...options, select: kind.identity }),
  );
  const shown = rowsIn(kind, listed).filter((row) => !isMarkedDeleted(row) && (kind.isPreferred?.(row) ?? true));
  return candidates(
    shown.map((row) => {
      const [name, other] = textsOf(kind, row);
      return [name ?? recordId(row), other];
    }),
  );
}

async function usersOf(context: Context): Promise<readonly Candidate[]> {
  const { client } = await connectLogin(context);
  const users = await client.listLoginUsers({ signal: context.io.signal });
  return candidates(
    users.flatMap(({ userId, userName, fleetName }) => [
      [fleetName ?? userName ?? userId, userName],
      [userName, fleetName],
    ]),
  );
}

type Pair = readonly [value: string | null | undefined, about: string | null | undefined];

/** Returns each name once, sorted. */
function candidates(pairs: readonly Pair[]): readonly Candidate[] {
  const byName = new Map<string, string>();
  for (const [value, about] of pairs) if (value && !byName.has(value)) byName.set(value, about ?? '');
  return [...byName].map(([value, about]) => ({ value, about })).sort((a, b) => a.value.localeCompare(b.value, 'en'));
}
