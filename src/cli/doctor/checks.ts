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

export function checksOf(context: Context): readonly DoctorCheck[] {
  return new Checks(context).list();
}

/** The checks of one run. Later checks use the results of earlier ones. */
class Checks {
  readonly #context: Context;
  readonly #connectMs: number;
  /** Null under --demo. */
  #settings: Settings | null | undefined;
  #options: FleetClientOptions | undefined;
  #client: FleetClient | undefined;
  #users: readonly LoginUser[] | undefined;
  #user: LoginUser | undefined;

  constructor(context: Context) {
    this.#context = context;
    this.#connectMs = Math.min(context.globals.timeout ?? CONNECT_TIMEOUT_MS, CONNECT_TIMEOUT_MS);
  }

  list(): readonly DoctorCheck[] {
    const { io, globals } = this.#context;
    const hasRedis = Boolean(globals.redis ?? io.env.FLEET_REDIS_URL);
    return [
      { name: 'config', run: () => this.#config() },
      ...(hasRedis ? [{ name: 'redis', run: () => this.#redis() }] : []),
      { name: 'address', run: () => this.#address() },
      { name: 'proxy', run: () => this.#proxy() },
      { name: 'tls', run: () => this.#tls() },
      { name: 'clock', run: () => this.#clock() },
      { name: 'login', run: () => this.#login() },
      { name: 'users', run: () => this.#chosenUser() },
      { name: 'turn', run: () => this.#turn() },
      { name: 'contract', run: () => this.#contract() },
      { name: 'data', run: () => this.#data() },
      {
        name: 'packages',
        isIndependent: true,
        run: async () => (await import('./packages.js')).checkPackages(io),
      },
    ];
  }

  async #config(): Promise<CheckFinding> {
    const context = this.#context;
    const settings = context.globals.demo ? null : await readManagedSettings(context);
    this.#settings = settings;
    if (settings === null) return skipped('--demo needs no configuration');
    requireProfile(context, settings);
    requireBaseUrl(settings);
    const { folder } = settings;
    const problem = writeProblem(folder);
    if (problem === null) return ok(settingsText(settings));
    return warning(
      `${settingsText(settings)}; ${folder} cannot be written (${problem}), so no session is kept and turns are not shared`,
      'Correct its access rights, or set FLEET_CONFIG_DIR to a folder of your own.',
    );
  }

  async #redis(): Promise<CheckFinding> {
    const redis = requireResult(this.#settings)?.redis ?? null;
    if (redis === null) return skipped('--demo shares the service with no other process');
    return (await import('./redis.js')).checkRedis(this.#context, redis);
  }

  /** Returns the address of the service; null for an in-process service. */
  #networkUrl(): string | null {
    const settings = requireResult(this.#settings);
    return settings === null || this.#context.io.fetch !== undefined ? null : requireBaseUrl(settings);
  }

  async #address(): Promise<CheckFinding> {
    const baseUrl = this.#networkUrl();
    if (baseUrl === null) return inProcess;
    return (await import('./address.js')).checkAddress(baseUrl, this.#context.io.env, this.#connectMs);
  }

  async #proxy(): Promise<CheckFinding> {
    const baseUrl = this.#networkUrl();
    if (baseUrl === null) return inProcess;
    return (await import('./proxy.js')).checkProxy(this.#context.io.env, new URL(baseUrl));
  }

  async #tls(): Promise<CheckFinding> {
    const baseUrl = this.#networkUrl();
    if (baseUrl === null) return inProcess;
    const { checkCertificate } = await import('./certificate.js');
    return checkCertificate(baseUrl, this.#context.io.env, now(this.#context), this.#connectMs);
  }

  async #clock(): Promise<CheckFinding> {
    const context = this.#context;
    const { io, globals } = context;
    const settings = requireResult(this.#settings);
    this.#options = settings ? await loginOptions(context, settings) : await demoOptions(context);
    const { fetch, baseUrl } = this.#options;
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
      () => checkWrongScheme(baseUrl, io.env, this.#connectMs),
    ).finally(() => http.close());
  }

  async #login(): Promise<CheckFinding> {
    const options = requireResult(this.#options);
    this.#client = await open(this.#context, options);
    const { checkLogin } = await import('./login.js');
    const settings = requireResult(this.#settings);
    const { finding, users } = await checkLogin(this.#context, this.#client, settings, options.tokenStore);
    this.#users = users;
    return finding;
  }

  async #chosenUser(): Promise<CheckFinding> {
    const { checkUsers } = await import('./login.js');
    const { finding, user } = checkUsers(this.#context, requireResult(this.#settings), requireResult(this.#users));
    if (user) this.#user = user;
    return finding;
  }

  async #turn(): Promise<CheckFinding> {
    const settings = requireResult(this.#settings);
    if (settings === null) return skipped('--demo shares the service with no other process');
    const { userId } = requireResult(this.#user);
    if (settings.redis !== null) {
      const { checkTurnInRedis } = await import('./redis.js');
      return checkTurnInRedis(this.#context, settings.redis, requireBaseUrl(settings), userId);
    }
    const { checkTurn } = await import('./turn.js');
    return checkTurn(settings.folder, requireBaseUrl(settings), userId);
  }

  async #contract(): Promise<CheckFinding> {
    const { checkContract } = await import('./contract.js');
    return checkContract(this.#clientOfUser(), this.#context.io.signal);
  }

  async #data(): Promise<CheckFinding> {
    const { checkData } = await import('./data.js');
    return checkData(this.#clientOfUser(), this.#context.io.signal, this.#context.globals.timeout);
  }

  #clientOfUser(): FleetClient {
    return requireResult(this.#client).forUser({ userId: requireResult(this.#user).userId });
  }
}

const inProcess = skipped('the service is inside this process');

/** Returns the result of an earlier check. */
function requireResult<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError('An earlier check has no result');
  return value;
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
