// The checks of `fleet doctor`, in the order of their dependencies, loaded on demand.
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode } from '../../core/error-code.js';
import type { LoginUser } from '../../core/errors.js';
import type { Fetch } from '../../core/ports.js';
import { withTimeLimit } from '../../core/time-limit.js';
import type { FleetClient, FleetClientOptions } from '../../index.js';
import { configPath } from '../config/config-file.js';
import { readManagedSettings, requireBaseUrl, requireProfile, type Settings } from '../config/settings.js';
import { demoOptions, loginOptions, open } from '../connection/connect.js';
import { type Context, now } from '../context/context.js';
import { type CheckFinding, type DoctorCheck, ok, skipped, warning } from './check.js';

const CLOCK_ANSWER_MS = 60_000;

const CONNECT_TIMEOUT_MS = 10_000;

/** Results of earlier checks for later ones. */
interface Results {
  /** Null under --demo. */
  settings: Settings | null;
  options: FleetClientOptions;
  client: FleetClient;
  users: readonly LoginUser[];
  user: LoginUser;
}

export function checksOf(context: Context): readonly DoctorCheck[] {
  const { io, globals } = context;
  const connectMs = Math.min(globals.timeout ?? CONNECT_TIMEOUT_MS, CONNECT_TIMEOUT_MS);
  const results: Partial<Results> = {};
  const resultOf = <Name extends keyof Results>(name: Name): Results[Name] => {
    const value = results[name];
    if (value === undefined) throw new TypeError(`${name} is not known yet`);
    // Safe cast: undefined was excluded.
    return value as Results[Name];
  };
  /** Skips network checks for an in-process service. */
  const overNetwork = (run: (baseUrl: string) => ReturnType<DoctorCheck['run']>) => async () => {
    const settings = resultOf('settings');
    if (settings === null || io.fetch !== undefined) return skipped('the service is inside this process');
    return run(requireBaseUrl(settings));
  };
  const redisCheck: DoctorCheck = {
    name: 'redis',
    run: async () => {
      const redis = resultOf('settings')?.redis ?? null;
      if (redis === null) return skipped('--demo shares the service with no other process');
      return (await import('./redis.js')).checkRedis(context, redis);
    },
  };
  return [
    {
      name: 'config',
      run: async () => {
        results.settings = globals.demo ? null : await readManagedSettings(context);
        if (results.settings === null) return skipped('--demo needs no configuration');
        requireProfile(context, results.settings);
        requireBaseUrl(results.settings);
        const { folder } = results.settings;
        const problem = writeProblem(folder);
        if (problem === null) return ok(settingsText(results.settings));
        return warning(
          `${settingsText(results.settings)}; ${folder} cannot be written (${problem}), so no session is kept and turns are not shared`,
          'Correct its access rights, or set FLEET_CONFIG_DIR to a folder of your own.',
        );
      },
    },
    ...((globals.redis ?? io.env.FLEET_REDIS_URL) ? [redisCheck] : []),
    {
      name: 'address',
      run: overNetwork(async (baseUrl) => (await import('./address.js')).checkAddress(baseUrl, io.env, connectMs)),
    },
    {
      name: 'proxy',
      run: overNetwork(async (baseUrl) => (await import('./proxy.js')).checkProxy(io.env, new URL(baseUrl))),
    },
    {
      name: 'tls',
      run: overNetwork(async (baseUrl) =>
        (await import('./certificate.js')).checkCertificate(baseUrl, io.env, now(context), connectMs),
      ),
    },
    {
      name: 'clock',
      run: async () => {
        const settings = resultOf('settings');
        results.options = settings ? await loginOptions(context, settings) : await demoOptions(context);
        const { fetch, baseUrl } = results.options;
        const { checkClock } = await import('./clock.js');
        const check = (send: Fetch, atWrongScheme: () => Promise<CheckFinding | null>) =>
          withTimeLimit(io.signal, globals.timeout ?? CLOCK_ANSWER_MS, (signal) =>
            checkClock(send, baseUrl, () => now(context), signal, atWrongScheme),
          );
        if (fetch) return check(fetch, async () => null);
        const { checkWrongScheme } = await import('./certificate.js');
        const { shortLivedTransport } = await import('../connection/sdk.js');
        const http = shortLivedTransport(io.env);
        return check(
          (url, init) => http.fetch(url, init),
          () => checkWrongScheme(baseUrl, io.env, connectMs),
        ).finally(() => http.close());
      },
    },
    {
      name: 'login',
      run: async () => {
        const options = resultOf('options');
        results.client = await open(context, options);
        const { checkLogin } = await import('./login.js');
        const { finding, users } = await checkLogin(context, results.client, resultOf('settings'), options.tokenStore);
        results.users = users;
        return finding;
      },
    },
    {
      name: 'users',
      run: async () => {
        const { checkUsers } = await import('./login.js');
        const { finding, user } = checkUsers(context, resultOf('settings'), resultOf('users'));
        if (user) results.user = user;
        return finding;
      },
    },
    {
      name: 'turn',
      run: async () => {
        const settings = resultOf('settings');
        if (settings === null) return skipped('--demo shares the service with no other process');
        if (settings.redis !== null) {
          const { checkTurnInRedis } = await import('./redis.js');
          return checkTurnInRedis(context, settings.redis, requireBaseUrl(settings), resultOf('user').userId);
        }
        const { checkTurn } = await import('./turn.js');
        return checkTurn(settings.folder, requireBaseUrl(settings), resultOf('user').userId);
      },
    },
    {
      name: 'contract',
      run: async () => {
        const { checkContract } = await import('./contract.js');
        return checkContract(resultOf('client').forUser({ userId: resultOf('user').userId }), io.signal);
      },
    },
    {
      name: 'data',
      run: async () => {
        const { checkData } = await import('./data.js');
        return checkData(resultOf('client').forUser({ userId: resultOf('user').userId }), io.signal, globals.timeout);
      },
    },
    {
      name: 'packages',
      isIndependent: true,
      run: async () => (await import('./packages.js')).checkPackages(io),
    },
  ];
}

function settingsText({ folder, profile, profileName, baseUrl, username }: Settings): string {
  const source = profile ? `profile ${profileName} in ${configPath(folder)}` : 'no profile; from flags and environment';
  return `${baseUrl}${username === null ? '' : ` as ${username}`} (${source})`;
}

/** Returns the reason why the folder is not writable, such as `EACCES`, else null. */
function writeProblem(folder: string): string | null {
  try {
    rmSync(mkdtempSync(join(folder, '.check-')), { recursive: true });
    return null;
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? missingProblem(folder) : (errorCode(error) ?? 'unknown reason');
  }
}

/** Returns why the folder cannot be created: its nearest existing parent must be writable. */
function missingProblem(folder: string): string | null {
  const above = dirname(folder);
  if (above === folder) return 'ENOENT';
  try {
    accessSync(above, constants.W_OK);
    return null;
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? missingProblem(above) : (errorCode(error) ?? 'unknown reason');
  }
}
