// A command for each event: values are data and never run.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { guardTerminal } from '../../src/cli/io/terminal-guard.js';
import { type ExecParts, eventVariables, execReceiver } from '../../src/cli/watch/exec.js';
import type { FleetEvent } from '../../src/index.js';
import { moment } from '../moment.js';
import { until } from '../until.js';
import { HandTimers } from './hand-timers.js';

const event: FleetEvent = {
  ...{ id: 'e1', type: 'geofence-enter', rule: 'geofence-enter', at: moment, foundAt: moment, vehicleId: 'v1' },
  ...{ vehicle: 'Van 1', licensePlate: null, text: 'entered Depot', value: null, unit: null, geofenceId: 'g1' },
  ...{ resolves: null, geofence: 'Depot', latitude: 58.4, longitude: 26.8, driverId: null },
};

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'fleet-exec-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function receiverOf(
  command: string,
  { env = {}, output = new PassThrough(), timers = new HandTimers(0) }: Partial<Omit<ExecParts, 'command'>> = {},
) {
  return execReceiver({ command, env: { PATH: process.env.PATH, ...env }, output: guardTerminal(output), timers });
}

async function run(
  command: string,
  one: FleetEvent = event,
  env: Readonly<Record<string, string>> = {},
  output = new PassThrough(),
) {
  const receiver = receiverOf(command, { env, output });
  const outcome = await receiver.deliver(one, new AbortController().signal);
  return { outcome, output: String(output.read() ?? '') };
}

/** Returns a command that writes its environment and stdin as JSON. */
const show = (file: string) =>
  `node -e 'let s="";process.stdin.on("data",(d)=>s+=d).on("end",()=>require("fs").writeFileSync(process.argv[1],JSON.stringify({env:process.env,stdin:JSON.parse(s)})))' ${file}`;

const hostile = [
  `$(touch PWNED)`,
  '`touch PWNED`',
  `'; touch PWNED; echo '`,
  `"; touch PWNED; echo "`,
  'a\nb\r\ntouch PWNED',
  'Van\u001b[2J 1',
  '$HOME %PATH% !! && || | > < ; * ? ~ #',
  '-rf --help',
  'Käse 🚚 "quoted" \\ back\\slash',
];

test.skipIf(process.platform === 'win32').each(hostile)('the name %j arrives as it is', async (name) => {
  const file = join(folder(), 'seen.json');
  const { outcome } = await run(show(file), { ...event, vehicle: name, geofence: name });
  expect(outcome).toEqual({ kind: 'taken' });
  const { env, stdin } = JSON.parse(readFileSync(file, 'utf8'));
  // Line breaks and control characters are removed, because a value may become a mail header.
  const line = name.replaceAll(/[\r\n]/g, ' ').replaceAll('\u001b', '');
  expect(env).toMatchObject({ FLEET_EVENT_VEHICLE: line, FLEET_EVENT_GEOFENCE: line });
  expect(stdin).toEqual({ ...event, vehicle: name, geofence: name });
  // The command runs in the folder of the test.
  expect(existsSync('PWNED')).toBe(false);
});

test.skipIf(process.platform === 'win32')(
  'what the command prints reaches a terminal, and moves no cursor',
  async () => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true });
    const { outcome, output } = await run("printf 'K\\303\\244se \\033[2J'; nosuchcommand", event, {}, terminal);
    expect(outcome).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('finds no such program (exit code 127)'),
    });
    expect(output).toContain('Käse \\u001b[2J');
    expect(output).toContain('nosuchcommand');
  },
);

test('every member is a variable of one line; missing members are empty, and control characters are left out', () => {
  expect(eventVariables({ ...event, vehicle: 'a\0b\r\nX-Evil: 1\u2028c' })).toEqual({
    FLEET_EVENT_ID: 'e1',
    FLEET_EVENT_TYPE: 'geofence-enter',
    FLEET_EVENT_RESOLVES: '',
    FLEET_EVENT_RULE: 'geofence-enter',
    FLEET_EVENT_AT: moment,
    FLEET_EVENT_FOUND_AT: moment,
    FLEET_EVENT_VEHICLE_ID: 'v1',
    FLEET_EVENT_VEHICLE: 'ab  X-Evil: 1 c',
    FLEET_EVENT_LICENSE_PLATE: '',
    FLEET_EVENT_TEXT: 'entered Depot',
    FLEET_EVENT_VALUE: '',
    FLEET_EVENT_UNIT: '',
    FLEET_EVENT_GEOFENCE_ID: 'g1',
    FLEET_EVENT_GEOFENCE: 'Depot',
    FLEET_EVENT_LATITUDE: '58.4',
    FLEET_EVENT_LONGITUDE: '26.8',
    FLEET_EVENT_DRIVER_ID: '',
  });
});

test('the command runs in the shell, and its output goes to stderr', async () => {
  const { outcome, output } = await run('echo "$FLEET_EVENT_TEXT" | tr a-z A-Z && echo problem >&2');
  expect({ outcome, output }).toEqual({ outcome: { kind: 'taken' }, output: 'ENTERED DEPOT\nproblem\n' });
});

test('it does not get the secrets of this program', async () => {
  const secrets = { FLEET_PASSWORD: 'one', FLEET_WEBHOOK_SECRET: 'two', FLEET_USERNAME: 'demo' };
  const { output } = await run('echo "<$FLEET_PASSWORD$FLEET_WEBHOOK_SECRET> $FLEET_USERNAME"', event, secrets);
  expect(output).toBe('<> demo\n');
});

test.each([
  ['exit 3', 'its exit code is 3'],
  [
    'there-is-no-such-program 2>/dev/null',
    'the shell finds no such program (exit code 127); check its name, or give its whole path',
  ],
  ['kill -9 $$', 'it was ended by SIGKILL'],
])('%s is a failure', async (command, reason) => {
  expect((await run(command)).outcome).toEqual({ kind: 'failed', reason, isReceiverDown: false, retryAfterMs: null });
});

test('a command that does not read its input is no failure', async () => {
  const long = { ...event, text: 'x'.repeat(100_000) };
  expect((await run('exec 0<&-; true', long)).outcome).toEqual({ kind: 'taken' });
});

test('the end of the watch ends the command', async () => {
  const output = new PassThrough();
  const ended = new AbortController();
  const timers = new HandTimers(0);
  const receiver = receiverOf('echo begun; sleep 1000 | cat', { output, timers });
  const delivering = receiver.deliver(event, ended.signal);
  await new Promise((resolve) => output.once('data', resolve));
  ended.abort();
  timers.advance(200);
  expect(await delivering).toMatchObject({ kind: 'failed', reason: 'the watch has ended' });
});

/** Returns the process id that a command prints first. */
const printedPid = async (output: PassThrough) =>
  new Promise<number>((resolve) => output.once('data', (text) => resolve(Number(text))));

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test.each([
  ['hangs', 'echo $$; exec sleep 1000'],
  ['hangs and ignores SIGTERM', `trap '' TERM; echo $$; while :; do sleep 1000; done`],
])('a command that %s is ended after 5 minutes', async (_, command) => {
  const output = new PassThrough();
  const timers = new HandTimers(0);
  const delivering = receiverOf(command, { output, timers }).deliver(event, new AbortController().signal);
  const pid = await printedPid(output);
  timers.advance(5 * 60_000);
  expect(timers.next).toBe(5_000);
  timers.advance(5_000);
  expect(await delivering).toMatchObject({ kind: 'failed', reason: 'it took longer than 5 minutes' });
  await until(() => !isRunning(pid));
});

test('a command that leaves a program in the background is done when it exits', async () => {
  const output = new PassThrough();
  const timers = new HandTimers(0);
  const delivering = receiverOf('sleep 1000 & echo $!', { output, timers }).deliver(
    event,
    new AbortController().signal,
  );
  const pid = await printedPid(output);
  onTestFinished(() => void process.kill(pid));
  await until(() => timers.next === 200);
  timers.advance(200);
  expect(await delivering).toEqual({ kind: 'taken' });
  expect(isRunning(pid)).toBe(true);
});

test('values that are too long for an environment are refused', async () => {
  const { outcome } = await run('true', { ...event, vehicle: 'B'.repeat(3_000_000) });
  expect(outcome).toEqual({
    kind: 'refused',
    reason: 'its values are too long for the environment of a command (E2BIG)',
  });
});
