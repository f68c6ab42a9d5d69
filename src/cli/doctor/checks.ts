// What `fleet doctor` looks at, in the order in which things rest on each other. Each look loads what it needs when its turn comes.
import type { FleetUser } from '../../core/errors.js';
import type { FleetClient, FleetClientOptions } from '../../index.js';
import { configPath } from '../config/config-file.js';
import { readSettings, requireBaseUrl, requireProfile, type Settings } from '../config/settings.js';
import { demoOptions, loginOptions, open } from '../connection/connect.js';
import { type Context, now } from '../run/context.js';
import { type Check, fine, skipped } from './check.js';

/** A machine that does not answer within this is as good as none. */
const CONNECT_MS = 10_000;
const ANSWER_MS = 60_000;

/** What one look finds, later ones go by. */
interface Known {
  /** Null under --demo. */
  settings: Settings | null;
  options: FleetClientOptions;
  client: FleetClient;
  users: readonly FleetUser[];
  user: FleetUser;
}

export function checksOf(context: Context): readonly Check[] {
  const { io, globals } = context;
  const connectMs = Math.min(globals.timeout ?? CONNECT_MS, CONNECT_MS);
  const known: Partial<Known> = {};
  const need = <Name extends keyof Known>(name: Name): Known[Name] => {
    const value = known[name];
    if (value === undefined) throw new TypeError(`${name} is not known yet`);
    // Undefined is what only Partial has added to its type.
    return value as Known[Name];
  };
  /** For what is about the network, which there is none of inside this process. */
  const overNetwork = (look: (baseUrl: string) => ReturnType<Check['look']>) => async () => {
    const settings = need('settings');
    if (settings === null || io.fetch !== undefined) return skipped('the service is inside this process');
    return look(requireBaseUrl(settings));
  };
  return [
    {
      name: 'config',
      look: async () => {
        known.settings = globals.demo ? null : await readSettings(context);
        if (known.settings === null) return skipped('--demo needs none');
        requireProfile(context, known.settings);
        requireBaseUrl(known.settings);
        return fine(whereFrom(known.settings));
      },
    },
    {
      name: 'address',
      look: overNetwork(async (baseUrl) => (await import('./address.js')).lookAtAddress(baseUrl, io.env, connectMs)),
    },
    {
      name: 'proxy',
      look: overNetwork(async (baseUrl) => (await import('./proxy.js')).lookAtProxy(io.env, new URL(baseUrl))),
    },
    {
      name: 'tls',
      look: overNetwork(async (baseUrl) =>
        (await import('./certificate.js')).lookAtCertificate(baseUrl, io.env, now(context), connectMs),
      ),
    },
    {
      name: 'clock',
      look: async () => {
        const settings = need('settings');
        known.options = settings ? await loginOptions(context, settings) : await demoOptions(context);
        const { fetch, baseUrl } = known.options;
        const signal = AbortSignal.any([io.signal, AbortSignal.timeout(globals.timeout ?? ANSWER_MS)]);
        const { lookAtClock } = await import('./clock.js');
        if (fetch) return lookAtClock(fetch, baseUrl, () => now(context), signal);
        const { shortLivedTransport } = await import('../connection/sdk.js');
        const http = shortLivedTransport(io.env);
        const look = lookAtClock(
          (url, init) => http.fetch(url, init),
          baseUrl,
          () => now(context),
          signal,
        );
        return look.finally(() => http.close());
      },
    },
    {
      name: 'login',
      look: async () => {
        const options = need('options');
        known.client = await open(context, options);
        const { lookAtLogin } = await import('./login.js');
        const { finding, users } = await lookAtLogin(context, known.client, need('settings'), options.tokenStore);
        known.users = users;
        return finding;
      },
    },
    {
      name: 'users',
      look: async () => {
        const { lookAtUsers } = await import('./login.js');
        const { finding, user } = lookAtUsers(context, need('settings'), need('users'));
        if (user) known.user = user;
        return finding;
      },
    },
    {
      name: 'turn',
      look: async () => {
        const settings = need('settings');
        if (settings === null) return skipped('with --demo there is nobody to take turns with');
        const { lookAtTurn } = await import('./turn.js');
        return lookAtTurn(settings.folder, requireBaseUrl(settings), need('user').userId);
      },
    },
    {
      name: 'contract',
      look: async () => {
        const { lookAtContract } = await import('./contract.js');
        return lookAtContract(need('client').as({ userId: need('user').userId }), io.signal);
      },
    },
  ];
}

function whereFrom({ folder, profile, profileName, baseUrl, username }: Settings): string {
  const from = profile ? `profile ${profileName} in ${configPath(folder)}` : 'no profile; from flags and environment';
  return `${baseUrl}${username === null ? '' : ` as ${username}`} (${from})`;
}
