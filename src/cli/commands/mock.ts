// `fleet mock`: runs the reference service over HTTP. An interrupt counts as success (exit code 0).
import type { MockService, MockUser, MockVariant } from '../../mock/service.js';
import { variantAbout, variantNames, variantOf } from '../../mock/variants/names.js';
import { note, type Run } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { CliError } from '../errors/cli-error.js';
import { unusable } from '../errors/unusable.js';
import { write } from '../io/io.js';
import { plainText } from '../io/plain-text.js';
import { parseDuration } from '../parse/duration.js';
import { wholeBetween } from '../parse/whole-number.js';

interface MockFlags {
  readonly port: number;
  readonly host: string;
  readonly seed: number;
  readonly vehicles: number;
  readonly latency: number;
  readonly usersFile?: string;
  readonly time?: Date;
  readonly variant?: MockVariant;
  readonly basePath: string;
  readonly allowHost?: readonly string[];
}

export const define: DefineCommand = (noun, open) => {
  noun
    .summary('run the reference service on this machine')
    .description(
      'Run the reference service on this machine until Ctrl-C. The same seed gives the same fleet. With --quiet it prints nothing. With --port 0 --quiet it prints only its address, on stdout.',
    )
    .option('--port <port>', 'port to listen on; 0 selects a free one', wholeBetween(0, 65_535), 4010)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--allow-host <name,…>',
      'host names besides localhost under which /__mock and the IDE answer; repeat for more',
      hostNames,
    )
    .option('--base-path <path>', 'path below which the service answers', '/')
    .option('--seed <number>', 'seed of the generated fleet', wholeBetween(0, Number.MAX_SAFE_INTEGER), 1)
    .option('--vehicles <count>', 'number of vehicles', wholeBetween(0, 1_000_000), 25)
    .option('--latency <duration>', 'delay of each answer; a number without a unit is milliseconds', latency, 0)
    .option('--users-file <file>', 'JSON file with logins that replace demo, multi and limited (- for stdin)')
    .option('--time <time>', 'time of the service when it starts, as RFC 3339 (default: now)', time)
    .option('--variant <name,…>', 'deviations of live services to imitate (listed below)', variant)
    .addHelpText('after', () => variantList())
    .addHelpText(
      'after',
      examples(
        ['fleet mock', 'at http://127.0.0.1:4010'],
        ['fleet mock --port 0 --seed 7 --vehicles 200', 'another fleet, any free port'],
        ['fleet mock --variant refresh-rotates,turns-by-login', 'with deviations of live services'],
        ['fleet mock --port 0 --quiet', 'print only its address, for a script'],
        ['FLEET_BASE_URL=http://127.0.0.1:4010 fleet login --username demo', 'in another terminal'],
      ),
    )
    .action((flags: MockFlags) => mock(open(), flags));
};

function latency(text: string): number {
  const milliseconds = parseDuration(text, 'ms');
  if (milliseconds !== null) return milliseconds;
  throw new CliError('USAGE', `"${text}" is not a duration.`, { hint: 'Write --latency 50ms or 2s.' });
}

function time(text: string): Date {
  const date = new Date(text);
  if (/^\d{4}-\d{2}-\d{2}([Tt ].*([Zz]|[+-]\d{2}:\d{2}))?$/.test(text) && !Number.isNaN(date.getTime())) return date;
  throw new CliError('USAGE', `"${text}" is not a time.`, { hint: 'Write it as 2026-03-01T08:30:00Z.' });
}

function hostNames(text: string, earlier: readonly string[] = []): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !/^(\[[\da-f:.]+\]|[\w.-]+)$/i.test(name));
  if (wrong === undefined) return [...earlier, ...names];
  throw new CliError('USAGE', `"${wrong}" is not a host name.`, { hint: 'Write names without a scheme or a port.' });
}

function basePathOf(path: string): string {
  if (/^\/[^?#\s]*$/.test(path)) return path;
  throw new CliError('USAGE', `"${path}" is not a path.`, { hint: 'Begin it with a slash, such as --base-path /api.' });
}

function variant(text: string): MockVariant {
  const names = text.split(',').map((name) => name.trim());
  try {
    return variantOf(names.filter((name) => name !== ''));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CliError('USAGE', `--variant cannot be used: ${error.message}.`, {
      hint: `Choose from ${variantNames.join(', ')}.`,
    });
  }
}

function variantList(): string {
  const width = Math.max(...variantNames.map((name) => name.length));
  const lines = variantNames.map((name) => `  ${name.padEnd(width)}  ${variantAbout(name)}`);
  return ['', 'Variants:', ...lines].join('\n');
}

async function mock(run: Run, flags: MockFlags): Promise<void> {
  const { createMockService } = await import('../../mock/service.js');
  const { seed, vehicles, port, host } = flags;
  const users = await usersOf(run, flags.usersFile);
  const service = makeService(() =>
    createMockService({
      seed,
      vehicles,
      latencyMs: flags.latency,
      users,
      variant: flags.variant,
      basePath: basePathOf(flags.basePath),
    }),
  );
  if (flags.time) setTime(service, flags.time);
  const server = await service.listen({ port, host, allowHosts: flags.allowHost }).catch((error: unknown) => {
    throw cannotListen(error, flags);
  });
  try {
    if (!run.globals.quiet) {
      for (const line of greeting(addressOf(server.url, flags), flags, users)) note(run, line);
    } else if (port === 0) {
      // The caller has no other source for the selected port.
      await write(run.io.stdout, `${addressOf(server.url, flags)}\n`);
    }
    await interrupted(run.io.signal);
  } finally {
    await server.close();
  }
}

async function usersOf(run: Run, file: string | undefined): Promise<readonly MockUser[] | undefined> {
  if (file === undefined) return undefined;
  const { readInputText: readText } = await import('../prompt/read-text.js');
  const { parseUsersFile } = await import('../parse/users-file.js');
  return parseUsersFile(await readText(run, file === '-' ? file : `@${file}`));
}

/** Creates the service, which validates the rest of the users file, such as names of groups. */
function makeService(make: () => MockService): MockService {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // The cause has the message without the name of an API function.
    const { message } = error.cause instanceof TypeError ? error.cause : error;
    throw unusable('users file', message);
  }
}

function setTime(service: MockService, time: Date): void {
  try {
    service.clock.set(time);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CliError('USAGE', '--time is outside the years 0001 to 9999 of RFC 3339.');
  }
}

const addressOf = (url: string, { basePath }: MockFlags): string => `${url}${basePath.replace(/\/+$/, '')}`;

function greeting(
  url: string,
  { host, seed, vehicles }: MockFlags,
  users: readonly MockUser[] | undefined,
): readonly string[] {
  const defaultLogins = 'demo/demo · multi/multi (three fleets) · limited/limited (one group only)';
  const [first] = users ?? [];
  const login = first
    ? `fleet login --base-url ${url} --username ${plainText(first.username)}`
    : `printf demo | fleet login --base-url ${url} --username demo --password-stdin`;
  return [
    `Reference service at ${url} (seed ${seed}, ${vehicles} vehicles). Press Ctrl-C to stop.`,
    '',
    `  users   ${users?.map((user) => plainText(user.username)).join(' · ') ?? defaultLogins}`,
    `  IDE     ${url}/graphiql?path=/graphql`,
    `  login   ${login}`,
    ...(isLoopback(host)
      ? []
      : [
          '',
          `warning: ${host} is reachable from other machines: anyone who can connect can use the service, including /__mock.`,
        ]),
  ];
}

function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/.test(host);
}

function cannotListen(error: unknown, { port, host }: MockFlags): unknown {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return new CliError('CONFIGURATION', `Port ${port} on ${host} is already in use.`, {
        hint: 'Another `fleet mock` may be running there. Choose another port with --port, or any free one with --port 0.',
      });
    case 'EACCES':
      return new CliError('CONFIGURATION', `You have no permission to use port ${port}.`, {
        hint: 'Choose a port above 1023.',
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new CliError('USAGE', `${host} is not an address of this machine.`, { hint: 'Leave out --host.' });
    default:
      return error;
  }
}

function interrupted(signal: AbortSignal): Promise<void> {
  // The server keeps the process alive.
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
