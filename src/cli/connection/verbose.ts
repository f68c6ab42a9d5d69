// Prints the lines of --verbose on stderr. The SDK's events contain no secrets and no variables.
import type { ClientHooks, RequestEvent } from '../../core/hooks.js';
import { sourceText } from '../config/credential-source.js';
import type { Settings } from '../config/settings.js';
import { note, type Run } from '../context/context.js';
import { wholeNumber } from '../views/humanize.js';

export function logSettings(
  run: Run,
  { baseUrl, profile, profileName, username, credentials, folder }: Settings,
): void {
  const parts = [
    baseUrl ?? 'no service',
    ...(username === null ? [] : [`login ${username}`]),
    ...(credentials === null ? [] : [`credentials by ${sourceText(credentials)}`]),
    ...(profile === null ? [] : [`profile ${profileName}`]),
    `config in ${folder}`,
  ];
  note(run, `* ${parts.join(', ')}`);
}

export function requestHooks(run: Run): Pick<ClientHooks, 'onRequest' | 'onResponse' | 'onRetry' | 'onSession'> {
  const log = (line: string) => note(run, line);
  return {
    onRequest: (event) => log(`> ${operationsText(event)}${detailsText(event)}`),
    onResponse: ({ status, durationMs, bytes, responseId, ...event }) => {
      const size = bytes === null ? '' : `, ${wholeNumber(bytes)} bytes`;
      const id = responseId === null ? '' : `, request id ${responseId}`;
      log(`< ${operationsText(event)}: ${status ?? 'no answer'} in ${Math.round(durationMs)} ms${size}${id}`);
    },
    onRetry: ({ operations, reason, waitMs }) =>
      log(`! ${operations.join(', ')}: ${reason}, retrying ${waitMs < 1 ? 'at once' : `in ${Math.round(waitMs)} ms`}`),
    onSession: ({ how }) => log(`* session: ${sessionStep[how]}`),
  };
}

function operationsText({ operations }: Pick<RequestEvent, 'operations'>): string {
  const counts = new Map<string, number>();
  for (const operation of operations) counts.set(operation, (counts.get(operation) ?? 0) + 1);
  return [...counts].map(([operation, count]) => (count === 1 ? operation : `${count} x ${operation}`)).join(', ');
}

/** Returns ` (mutation, attempt 2, 3 calls merged, waited 12 ms)`; empty if sent at once. */
function detailsText({ kind, attempt, merged, waitMs }: RequestEvent): string {
  const details = [
    ...(kind === 'mutation' ? ['mutation'] : []),
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(merged > 1 ? [`${merged} calls merged`] : []),
    ...(waitMs >= 1 ? [`waited ${Math.round(waitMs)} ms in the queue`] : []),
  ];
  return details.length === 0 ? '' : ` (${details.join(', ')})`;
}

const sessionStep = {
  login: 'logged in',
  refresh: 'access token refreshed',
  adopt: 'used the token that another process obtained',
} as const;
