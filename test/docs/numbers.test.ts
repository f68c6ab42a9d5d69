// Numbers in documents, help texts and comments equal those of the code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './markdown.js';

const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const flat = (text: string) => text.replace(/\n\s*(?:\* |\/\/ )?/g, ' ');

const units: Readonly<Record<string, number>> = {
  ...{ n: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 },
  ...{ kB: 1_000, KiB: 1_024, MiB: 1_048_576 },
};
const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** Reads a constant such as `const WAIT_MS = 2 * SECOND_MS;`, also with constants as factors. */
function constant(file: string, name: string): number {
  const line = new RegExp(`\\bconst ${name}(?:: \\w+)? = (?:\\{ \\w+: )?([\\w* ]+)`).exec(textOf(file));
  if (!line) throw new Error(`${file} has no constant ${name}`);
  const factors = (line[1] ?? '').trim().split(' * ');
  return factors.reduce(
    (all, one) => all * (/^\d/.test(one) ? Number(one.replaceAll('_', '')) : constant(file, one)),
    1,
  );
}

/**
 * Inserts the number. `{s}`: in seconds; `{word min}`: minutes as a word; `{comma n}`: with commas.
 */
function filled(phrase: string, value: number): string {
  return phrase.replace(/\{(?:(word|comma) )?(\w+)\}/g, (_, form: string | undefined, unit: string) => {
    const count = value / (units[unit] ?? Number.NaN);
    if (form === undefined) return String(count);
    return form === 'word' ? String(words[count]) : count.toLocaleString('en');
  });
}

const retry = 'src/request/retry-policy.ts';
const limits = 'src/core/operation.ts';
const refresh = 'src/auth/token-store.ts';

test.each<[document: string, phrase: string, file: string, name: string]>([
  ['README.md', 'ends a token after {min} minutes', 'src/auth/login-endpoints.ts', 'ACCESS_TOKEN_LIFETIME_MS'],
  ['docs/sdk.md', 'of its lifetime ({s} s by contract', 'src/auth/login-endpoints.ts', 'ACCESS_TOKEN_LIFETIME_MS'],
  ['docs/sdk.md', 'logs in again {h} hours after', refresh, 'REFRESH_TOKEN_LIFETIME_MS'],
  ['docs/sdk.md', 'once in {h} hours', refresh, 'REFRESH_TOKEN_LIFETIME_MS'],
  ['docs/errors.md', 'it is {h} hours old (by contract)', refresh, 'REFRESH_TOKEN_LIFETIME_MS'],
  ['docs/security.md', 'for up to {h} hours', refresh, 'REFRESH_TOKEN_LIFETIME_MS'],
  ['docs/unattended.md', 'A session lasts {h} hours', refresh, 'REFRESH_TOKEN_LIFETIME_MS'],
  ['docs/troubleshooting.md', 'a session ends {h} hours after the login', refresh, 'REFRESH_TOKEN_LIFETIME_MS'],
  ['docs/sdk.md', 'for {s} s, long enough for a rolling restart', retry, 'RETRY_FOR_MS'],
  ['docs/sdk.md', 'has answered this client before | all | for {s} s |', retry, 'RETRY_FOR_MS'],
  ['docs/troubleshooting.md', 'outages are retried for {s} s', retry, 'RETRY_FOR_MS'],
  ['docs/sdk.md', '`{ forMs: {n}, baseDelayMs', retry, 'RETRY_FOR_MS'],
  ['docs/sdk.md', 'baseDelayMs: {n},', retry, 'FIRST_DELAY_MS'],
  ['docs/sdk.md', 'maxDelayMs: {n} }`', retry, 'MAX_DELAY_MS'],
  [limits, 'while the service is down. Default {n}.', retry, 'RETRY_FOR_MS'],
  [retry, 'it doubles with every retry. Default {n}.', retry, 'FIRST_DELAY_MS'],
  [retry, 'Longest pause in milliseconds. Default {n}.', retry, 'MAX_DELAY_MS'],
  ['docs/sdk.md', 'its address may be wrong | all | {n} requests |', retry, 'LOST_CONNECTION_ATTEMPTS'],
  ['docs/sdk.md', '| 500 | queries, logins, `idempotent` mutations | {n} requests |', retry, 'SERVER_ERROR_ATTEMPTS'],
  [limits, 'Default: {n} for 500,', retry, 'SERVER_ERROR_ATTEMPTS'],
  [limits, ' {n} for lost connections', retry, 'LOST_CONNECTION_ATTEMPTS'],
  ['docs/sdk.md', '`timeoutMs` ({s} s) limits the whole call', 'src/request/deadlines.ts', 'CALL_TIMEOUT_MS'],
  ['docs/sdk.md', '| `timeoutMs` | {n} |', 'src/request/deadlines.ts', 'CALL_TIMEOUT_MS'],
  ['src/client-options.ts', 'including all waiting. Default {n}.', 'src/request/deadlines.ts', 'CALL_TIMEOUT_MS'],
  ['docs/sdk.md', '`{ max: {n} }`', 'src/request/merging.ts', 'MAX_MERGED'],
  ['docs/limits.md', '`merge.max` ({n})', 'src/request/merging.ts', 'MAX_MERGED'],
  ['src/client-options.ts', 'at most `max` of them (default {n})', 'src/request/merging.ts', 'MAX_MERGED'],
  ['docs/sdk.md', 'stops merging for {min} minutes', 'src/request/merging.ts', 'FIRST_QUIET_MS'],
  ['docs/errors.md', 'sent like that for {min} minutes', 'src/request/merging.ts', 'FIRST_QUIET_MS'],
  ['docs/sdk.md', 'unless it comes {word n} times in a row', 'src/request/merging.ts', 'PROOF_IN_A_ROW'],
  ['docs/sdk.md', 'keeps the turn for up to {s} s', 'src/request/batch.ts', 'GRACE_MS'],
  [
    'docs/reference-service.md',
    'the {word s} seconds that a call which was given up',
    'src/request/batch.ts',
    'GRACE_MS',
  ],
  ['docs/sdk.md', 'idle for more than {s} seconds', 'src/transport/http-transport.ts', 'IDLE_SOCKET_MS'],
  ['docs/limits.md', ' {s} s after the last answer', 'src/transport/http-transport.ts', 'IDLE_SOCKET_MS'],
  ['docs/sdk.md', 'brings no byte for {s} seconds', 'src/request/login-requests.ts', 'LOGIN_ATTEMPT_TIMEOUT_MS'],
  ['docs/sdk.md', 'waits up to {s} s for a refresh', 'src/request/login-requests.ts', 'LEFT_REFRESH_MS'],
  ['docs/distributed.md', 'waits for it up to {s} s', 'src/request/login-requests.ts', 'LEFT_REFRESH_MS'],
  ['docs/sdk.md', 'this ends after {s} seconds in all', 'src/lists/stream-list.ts', 'MAX_HELD_MS'],
  ['docs/sdk.md', 'more than {word min} minutes further apart', 'src/transport/service-clock.ts', 'JUMP_MS'],
  ['docs/errors.md', 'more than {word min} minutes further apart', 'src/transport/service-clock.ts', 'JUMP_MS'],
  ['docs/sdk.md', '| `maxResponseBytes` | {n} |', 'src/transport/response-limits.ts', 'DEFAULT_LIMIT'],
  ['docs/errors.md', '`maxResponseBytes` ({MiB} MiB)', 'src/transport/response-limits.ts', 'DEFAULT_LIMIT'],
  ['docs/errors.md', 'it has more than {MiB} MiB and', 'src/transport/response-limits.ts', 'HARMLESS_BYTES'],
  [
    'docs/telemetry.md',
    'windows that adapt to about {MiB} MiB',
    'src/telemetry/streams/answer-sizes.ts',
    'TARGET_BYTES',
  ],
  ['docs/telemetry.md', 'for at most {word min} minutes', 'src/telemetry/trips/open-trip.ts', 'NEAR_TRIP_MS'],
  ['docs/telemetry.md', 'a response of more than {MiB} MiB', 'src/telemetry/streams/answer-sizes.ts', 'MAX_PART_BYTES'],
  ['docs/telemetry.md', 'parts of up to {n} vehicles', 'src/telemetry/streams/snapshot-reader.ts', 'MAX_PARTS'],
  ['docs/telemetry.md', 'up to {MiB} MiB while', 'src/telemetry/streams/answer-sizes.ts', 'MAX_TARGET_BYTES'],
  ['docs/telemetry.md', 'come within {s} seconds', 'src/telemetry/streams/answer-sizes.ts', 'QUICK_MS'],
  [
    'docs/telemetry.md',
    'a window of more than {h} hours',
    'src/telemetry/streams/window-limit.ts',
    'SHORTEST_REFUSED_MS',
  ],
  ['docs/schema.md', 'a window of more than {h} hours', 'src/telemetry/streams/window-limit.ts', 'SHORTEST_REFUSED_MS'],
  ['docs/telemetry.md', 'more than {min} minutes without a snapshot', 'src/telemetry/trips/trip-times.ts', 'UNSEEN_MS'],
  ['docs/telemetry.md', '{min} minutes without one end it', 'src/telemetry/trips/speeding.ts', 'UNSEEN_MS'],
  ['docs/telemetry.md', 'a stop of {word min} minutes', 'src/telemetry/trips/movement-trips.ts', 'STOP_MS'],
  ['docs/distributed.md', '(`leaseMs`, {s} s)', 'src/redis/redis-gate.ts', 'DEFAULT_LEASE_MS'],
  [
    'src/redis/redis-gate.ts',
    'that does not report; at least 100. Default {n}.',
    'src/redis/redis-gate.ts',
    'DEFAULT_LEASE_MS',
  ],
  ['docs/distributed.md', '`answerTimeoutMs` ({s} s)', 'src/redis/redis-gate.ts', 'MAX_DEFAULT_ANSWER_MS'],
  ['docs/distributed.md', 'renew (every {s} s)', 'src/redis/turn-script.ts', 'MAX_BEAT_MS'],
  ['docs/distributed.md', 'keeps its turn for {s} s', 'src/redis/turn-script.ts', 'GONE_MS'],
  ['docs/distributed.md', 'an outage of the service for {s} s', retry, 'RETRY_FOR_MS'],
  ['docs/distributed.md', 'run again within {s} s', 'examples/nightly-bullmq.mjs', 'RECOVERY_MS'],
  ['docs/distributed.md', ' {s} s without an update', 'src/locks/lease.ts', 'STALE_MS'],
  ['docs/alerts.md', '`--every` looks every {s} seconds', 'src/cli/live/flags.ts', 'WATCH_INTERVAL_MS'],
  ['src/cli/live/flags.ts', '(default: {s}s)', 'src/cli/live/flags.ts', 'WATCH_INTERVAL_MS'],
  ['src/cli/watch/flags.ts', '(default: {s}s)', 'src/cli/live/flags.ts', 'WATCH_INTERVAL_MS'],
  ['docs/alerts.md', 'looked up again every {min} minutes', 'src/telemetry/events/geofences.ts', 'REFRESH_MS'],
  ['docs/alerts.md', '`--retry-for` ({d} days)', 'src/cli/watch/run-watch.ts', 'GIVE_UP_AFTER_MS'],
  [
    'src/cli/watch/flags.ts',
    'not be delivered for this long (default: {d}d)',
    'src/cli/watch/run-watch.ts',
    'GIVE_UP_AFTER_MS',
  ],
  ['docs/alerts.md', 'so is more than {min} minutes', 'src/cli/watch/exec.ts', 'LONGEST_MS'],
  ['docs/alerts.md', 'Up to {word n} vehicles at the same time', 'src/cli/watch/deliveries.ts', 'PARALLEL'],
  [
    'src/cli/watch/flags.ts',
    'speeding (default: {n})',
    'src/telemetry/events/event-rule.ts',
    'DEFAULT_SPEED_LIMIT_KMH',
  ],
  [
    'docs/map.md',
    'of up to {n} vehicles that reported last',
    'packages/map/src/command/live-map.ts',
    'MAX_ROAD_VEHICLES',
  ],
  ['docs/map.md', 'last {n} days, of up to', 'packages/map/src/command/recent-roads.ts', 'MAX_ROAD_DAYS'],
  [
    'packages/map/src/command.ts',
    'at least 1s (default: {s}s)',
    'packages/map/src/command.ts',
    'MAP_WATCH_INTERVAL_MS',
  ],
  ['docs/mcp.md', 'An answer has at most {kB} kB', 'packages/mcp/src/answer.ts', 'MAX_ANSWER_BYTES'],
  ['docs/mcp.md', 'A call waits for at most {s} seconds', 'packages/mcp/src/jobs.ts', 'WAIT_MS'],
  ['docs/mcp.md', 'no call comes within {word min} minutes', 'packages/mcp/src/jobs.ts', 'ABANDONED_AFTER_MS'],
  ['docs/mcp.md', 'the last answers are cached for {word min} minutes', 'packages/mcp/src/jobs.ts', 'CACHED_MS'],
  ['docs/mcp.md', 'once, within {word min} minutes', 'packages/mcp/src/tools/changes.ts', 'PLAN_LASTS_MS'],
  ['docs/mcp.md', 'An answer has at most {comma n} rows', 'packages/mcp/src/tools/sql.ts', 'MOST_ROWS'],
  ['docs/cli.md', 'the last {n} commands,', 'src/cli/journal/journal-folder.ts', 'MAX_ENTRIES'],
  ['docs/security.md', 'they are used for {word min} minutes', 'src/cli/completion/name-cache.ts', 'NAMES_FRESH_MS'],
  [
    'docs/troubleshooting.md',
    'remembers names for {word min} minutes',
    'src/cli/completion/name-cache.ts',
    'NAMES_FRESH_MS',
  ],
  ['docs/unattended.md', 'ended after {s} seconds', 'src/cli/connection/credential-command.ts', 'COMMAND_MS'],
  ['docs/reference-service.md', 'Limits: {n} levels,', 'src/mock/graphql/document-limits.ts', 'maxDepth'],
  ['docs/reference-service.md', ' {n} root fields,', 'src/mock/graphql/document-limits.ts', 'maxRootFields'],
  ['docs/reference-service.md', ' {comma n} fields,', 'src/mock/graphql/document-limits.ts', 'maxFields'],
  ['docs/reference-service.md', ' {comma n} tokens', 'src/mock/graphql/document-cache.ts', 'maxTokens'],
  [
    'docs/reference-service.md',
    'more than {comma n} records',
    'src/mock/graphql/request-context.ts',
    'maxRelatedRecords',
  ],
  ['docs/reference-service.md', '413: more than {MiB} MiB', 'src/mock/core/messages.ts', 'maxBodyBytes'],
  ['docs/reference-service.md', 'the newest {comma n} requests', 'src/mock/control/journal.ts', 'maxEntries'],
])('%s: %s is %s %s', (document, phrase, file, name) => {
  const said = filled(phrase, constant(file, name));
  expect(flat(textOf(document)).includes(said), `${document} does not say "${said}"`).toBe(true);
});
