// Creates the receivers of --exec and --post.
import { readFileSync, statSync } from 'node:fs';
import { isLoopback } from '../../core/base-url.js';
import { realTimers } from '../../core/ports.js';
import { requirePrivate } from '../connection/read-credentials.js';
import { type Context, now } from '../context/context.js';
import { CliError, refusal } from '../errors/cli-error.js';
import { refusedFile } from '../errors/unusable.js';
import type { Receiver } from './deliveries.js';
import { type AlertFlags, postAddress } from './flags.js';

/** In characters; a random text of this length cannot be guessed. */
const SHORTEST_SECRET = 16;

/** Throws CliError USAGE for invalid flags. Sends nothing. */
export async function receiversOf(context: Context, flags: AlertFlags): Promise<readonly Receiver[]> {
  const { io } = context;
  const receivers: Receiver[] = [];
  refuseFlagsWithoutReceiver(flags);
  if (flags.exec !== undefined) {
    if (flags.exec.trim() === '') throw refusal('--exec is empty.', { hint: 'Give it a command of the shell.' });
    const { execReceiver } = await import('./exec.js');
    receivers.push(execReceiver({ command: flags.exec, env: io.env, output: io.stderr, timers: realTimers }));
  }
  if (flags.post !== undefined) {
    const url = postAddress(flags.post === true ? (io.env.FLEET_WEBHOOK_URL ?? '') : flags.post);
    const secret = secretOf(context, flags);
    if (url.protocol === 'http:' && !isLoopback(url)) {
      context.report.warn(`The address of --post is not https: others on the network can read positions and names.`);
    }
    const [{ postReceiver }, transport] = await Promise.all([import('./webhook.js'), transportOf(context)]);
    receivers.push(postReceiver({ url, secret, transport, timers: realTimers, now: () => now(context) }));
  }
  return receivers;
}

function refuseFlagsWithoutReceiver({ exec, post, secretFile, unsigned, retryFor }: AlertFlags): void {
  const flag = secretFile !== undefined ? '--secret-file' : unsigned ? '--unsigned' : null;
  if (flag !== null && post === undefined) throw refusal(`${flag} needs --post.`);
  if (retryFor !== undefined && post === undefined && exec === undefined) {
    throw refusal('--retry-for needs --post or --exec.');
  }
}

function secretOf({ io }: Context, { secretFile, unsigned }: AlertFlags): string | null {
  const fromEnvironment = io.env.FLEET_WEBHOOK_SECRET?.trim();
  if (unsigned) {
    if (secretFile === undefined) return null;
    throw refusal('Give either --secret-file or --unsigned.');
  }
  const secret = secretFile === undefined ? fromEnvironment : textOfFile(secretFile);
  if (secret && secret.length < SHORTEST_SECRET) {
    throw refusal(`The secret of --post has ${secret.length} characters, so it can be guessed.`, {
      hint: `Use ${SHORTEST_SECRET} or more; \`openssl rand -hex 32\` makes a secret.`,
    });
  }
  if (secret) return secret;
  throw refusal(secretFile === undefined ? '--post needs a secret to sign with.' : 'The secret file is empty.', {
    hint: 'Set FLEET_WEBHOOK_SECRET, or name a file with --secret-file; `openssl rand -hex 32` makes a secret. --unsigned posts without one.',
  });
}

function textOfFile(path: string): string {
  try {
    requirePrivate(path, statSync(path), undefined, 'secret file');
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw refusedFile(`secret file ${path}`, 'read', error);
  }
}

async function transportOf({ io, service }: Context) {
  if (io.fetch !== undefined) {
    const { customFetchTransport } = await import('../../transport/custom-fetch.js');
    return customFetchTransport(io.fetch);
  }
  const { shortLivedTransport } = await import('../connection/sdk.js');
  const transport = shortLivedTransport(io.env);
  service.onEnd(() => transport.close());
  return transport;
}
