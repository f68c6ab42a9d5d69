// Says each request on stderr under --verbose. The SDK's events hold no secret and no variable, so neither does this.
import type { Hooks } from '../hooks.js';
import { type Context, note } from './context.js';

export function narrate(context: Context): Pick<Hooks, 'onRequest' | 'onResponse' | 'onRetry' | 'onRefresh'> {
  const say = (line: string) => note(context, line);
  return {
    onRequest: ({ operations, attempt }) =>
      say(`> ${operations.join(', ')}${attempt > 1 ? ` (attempt ${attempt})` : ''}`),
    onResponse: ({ operations, status, durationMs }) =>
      say(`< ${operations.join(', ')}: ${status ?? 'no answer'} in ${Math.round(durationMs)} ms`),
    onRetry: ({ operations, reason, waitMs }) =>
      say(`! ${operations.join(', ')}: ${reason}, again in ${Math.round(waitMs)} ms`),
    onRefresh: ({ how }) => say(`* session: ${sessionStep[how]}`),
  };
}

const sessionStep = {
  login: 'logged in',
  refresh: 'access token refreshed',
  adopt: 'took over the token another process has obtained',
} as const;
