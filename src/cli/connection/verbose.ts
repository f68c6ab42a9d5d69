// Says under --verbose what goes on, on stderr: where the command turns to, and each request. The SDK's events hold no secret and no
// variable, so neither does this. With -o json these lines stay text: the error, if there is one, is the last line.
import type { Hooks, RequestEvent } from '../../core/hooks.js';
import type { Settings } from '../config/settings.js';
import { type Context, note } from '../run/context.js';
import { wholeNumber } from '../views/words.js';

/** The service, and what the command goes by. */
export function sayWhere(
  context: Context,
  { baseUrl, profile, profileName, username, password, folder }: Settings,
): void {
  const parts = [
    baseUrl ?? 'no service',
    ...(username === null ? [] : [`login ${username}${password === null ? '' : ' of the environment'}`]),
    ...(profile === null ? [] : [`profile ${profileName}`]),
    `config in ${folder}`,
  ];
  note(context, `* ${parts.join(', ')}`);
}

export function narrate(context: Context): Pick<Hooks, 'onRequest' | 'onResponse' | 'onRetry' | 'onRefresh'> {
  const say = (line: string) => note(context, line);
  return {
    onRequest: (event) => say(`> ${whatOf(event)}${circumstances(event)}`),
    onResponse: ({ status, durationMs, bytes, ...event }) => {
      const size = bytes === null ? '' : `, ${wholeNumber(bytes)} bytes`;
      say(`< ${whatOf(event)}: ${status ?? 'no answer'} in ${Math.round(durationMs)} ms${size}`);
    },
    onRetry: ({ operations, reason, waitMs }) =>
      say(`! ${operations.join(', ')}: ${reason}, again ${waitMs < 1 ? 'at once' : `in ${Math.round(waitMs)} ms`}`),
    onRefresh: ({ how }) => say(`* session: ${sessionStep[how]}`),
  };
}

/** Operations that are in one document several times are counted. */
function whatOf({ operations }: Pick<RequestEvent, 'operations'>): string {
  const counts = new Map<string, number>();
  for (const operation of operations) counts.set(operation, (counts.get(operation) ?? 0) + 1);
  return [...counts].map(([operation, count]) => (count === 1 ? operation : `${count} x ${operation}`)).join(', ');
}

/** ` (mutation, attempt 2, 3 calls merged, waited 12 ms)`; nothing for a query that just leaves. */
function circumstances({ kind, attempt, merged, waitMs }: RequestEvent): string {
  const said = [
    ...(kind === 'mutation' ? ['mutation'] : []),
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(merged > 1 ? [`${merged} calls merged`] : []),
    ...(waitMs >= 1 ? [`waited ${Math.round(waitMs)} ms for its turn`] : []),
  ];
  return said.length === 0 ? '' : ` (${said.join(', ')})`;
}

const sessionStep = {
  login: 'logged in',
  refresh: 'access token refreshed',
  adopt: 'took over the token another process has obtained',
} as const;
