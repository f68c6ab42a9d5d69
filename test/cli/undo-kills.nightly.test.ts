// Commands that are killed during a change, and several processes at once, over real HTTP. The
// journal never claims an outcome without an answer, and undo checks the current state.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMockService, type MockService } from '../../src/mock/service.js';
import { moment } from '../moment.js';
import { until } from '../until.js';
import { storeOf } from './store-of.js';

const bin = fileURLToPath(new URL('../../bin/fleet.js', import.meta.url));

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** When a process is killed: before a mutation is made, or after it but before its answer. */
interface Kill {
  readonly at: 'arrival' | 'answer';
  /** Number of the mutation, from 1. */
  readonly nth: number;
}

class World {
  readonly service: MockService = createMockService({ seed: 1, vehicles: 6, clock: { now: () => Date.parse(moment) } });
  readonly folder = mkdtempSync(join(tmpdir(), 'fleet-undo-kills-'));
  url = '';
  kill: Kill | null = null;
  child: ChildProcess | null = null;
  #mutations = 0;

  static async start(): Promise<World> {
    const world = new World();
    const server = createServer((request, response) => void world.#forward(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    world.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
      rmSync(world.folder, { recursive: true, force: true });
    });
    expect(await world.run(['vehicles', 'types'])).toMatchObject({ code: 0 });
    return world;
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts);
    const isMutation = /"query":"\s*mutation/.test(body.toString());
    if (isMutation) this.#mutations++;
    const isKillTarget = isMutation && this.kill?.nth === this.#mutations;
    if (isKillTarget && this.kill?.at === 'arrival') return this.end();
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
    const answer = await this.service.fetch(`${this.url}${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      ...(hasBody ? { body: new Uint8Array(body) } : {}),
    });
    // Read to its end: until then the request counts as active.
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (isKillTarget) return this.end();
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(bytes);
  }

  end(): void {
    this.child?.kill('SIGKILL');
  }

  start(words: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<Outcome> } {
    const { PATH = '', SystemRoot = '' } = process.env;
    const child = spawn(process.execPath, [bin, ...words], {
      env: {
        ...{ PATH, SystemRoot, HOME: this.folder, FLEET_CONFIG_DIR: this.folder, FLEET_BASE_URL: this.url, TZ: 'UTC' },
        ...{ FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo' },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (part: string) => {
        texts[name] += part;
      });
    }
    return { child, ended: once(child, 'close').then(([code]) => ({ code, ...texts })) };
  }

  run(words: readonly string[]): Promise<Outcome> {
    return this.start(words).ended;
  }

  async killed(words: readonly string[], kill: Kill): Promise<void> {
    this.#mutations = 0;
    this.kill = kill;
    const { child, ended } = this.start(words);
    this.child = child;
    const { code } = await ended;
    this.kill = null;
    expect(code).toBeNull();
  }

  async history(): Promise<readonly Record<string, unknown>[]> {
    const { code, stdout, stderr } = await this.run(['history', '-o', 'json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  }

  state(lost: readonly string[] = []): readonly string[] {
    return storeOf(this.service.snapshot(), lost);
  }

  journal(): string {
    const folder = join(this.folder, 'journal');
    if (!existsSync(folder)) return '';
    return readdirSync(folder)
      .filter((name) => name.endsWith('.ndjson'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('');
  }
}

const several = ['vehicles', 'set-field', 'Cost centre', '4999', '--filter', 'name=Van*', '--yes'];
const cases: readonly (readonly [words: readonly string[], steps: number, lost?: readonly string[]])[] = [
  [['vehicles', 'update', 'Van 01', '--name', 'Van 99', '--year', '2001'], 1],
  [['groups', 'create', '--name', 'New'], 1],
  [['groups', 'delete', 'Winter roster', '--yes'], 1, ['rules', 'geofences.groupIds', 'people.groupId']],
  [['people', 'delete', 'Marek Ozols', '--yes'], 1, ['tokens', 'people.groupId', 'assignments']],
  [['drivers', 'assign', 'Van 01', 'Karl Berg', '--from', '-1h', '--yes'], 1],
  [several, 3],
];
const kills = cases.flatMap(([words, steps, lost = []]) =>
  Array.from({ length: steps }, (_, index) =>
    (['arrival', 'answer'] as const).map((at) => ({
      words,
      lost,
      at,
      nth: index + 1,
      text: words.slice(0, 3).join(' '),
    })),
  ).flat(),
);

describe('killed', () => {
  test.each(kills)('$text, at the $at of change $nth', async ({ words, lost, at, nth }) => {
    const world = await World.start();
    const start = world.state(lost);
    await world.killed(words, { at, nth });
    const left = world.state(lost);
    const isChanged = at === 'answer' || nth > 1;
    expect(JSON.stringify(left) !== JSON.stringify(start)).toBe(isChanged);

    const [entry, ...others] = await world.history();
    expect(others).toEqual([]);
    // A step without an answer is unknown, even if it was made.
    expect(entry).toMatchObject({ n: 1, outcome: 'unknown', undoneBy: null });
    const { stdout } = await world.run(['history', 'get', '1', '-o', 'json']);
    const outcomes = JSON.parse(stdout).steps.map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes).toEqual([...Array.from({ length: nth - 1 }, () => 'done'), 'unknown']);

    expect((await world.run(['undo', '1', '--dry-run'])).code).toBe(isChanged ? 10 : 0);
    expect(world.state(lost)).toEqual(left);
    const { code, stderr } = await world.run(['undo', '1', '--yes']);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(world.state(lost)).toEqual(start);
  });

  test('an undo may be killed too, and made again', async () => {
    const world = await World.start();
    const start = world.state();
    expect((await world.run(several)).code).toBe(0);
    await world.killed(['undo', '1', '--yes'], { at: 'answer', nth: 2 });
    expect(await world.history()).toMatchObject([
      { n: 2, undoes: 1, outcome: 'unknown' },
      { n: 1, undoneBy: null },
    ]);
    // The lease of the killed process is taken over.
    expect(await world.run(['undo', '1', '--yes', '--force'])).toMatchObject({ code: 0 });
    expect(world.state()).toEqual(start);
    expect(await world.history()).toMatchObject([
      { n: 3, undoes: 1, outcome: 'done' },
      { n: 2 },
      { n: 1, undoneBy: 3 },
    ]);
  });

  test('as soon as the journal has the step: nothing is sent that it does not have', async () => {
    for (let round = 0; round < 6; round++) {
      const world = await World.start();
      const start = world.state();
      const { child, ended } = world.start(several);
      // At the line of each step in turn, and some moments later.
      const lines = (round % 3) + 1;
      await until(() => world.journal().split('"records"').length > lines);
      if (round >= 3) await until(() => world.service.requests.length > 2);
      child.kill('SIGKILL');
      await ended;
      // Requests in flight may still arrive.
      const { stdout } = await world.run(['history', 'get', '1', '-o', 'json']);
      const steps: readonly { outcome: string }[] = JSON.parse(stdout).steps;
      const changed = world.state().filter((row) => !start.includes(row)).length;
      expect(changed).toBeLessThanOrEqual(steps.length);
      expect(changed).toBeGreaterThanOrEqual(steps.filter(({ outcome }) => outcome === 'done').length);
      const undone = await world.run(['undo', '1', '--yes']);
      expect({ code: undone.code, stderr: undone.stderr }).toMatchObject({ code: 0 });
      expect(world.state()).toEqual(start);
    }
  });
});

describe('at once', () => {
  test('eight processes have entries of their own, and each can be undone', async () => {
    const world = await World.start();
    const start = world.state();
    const names = Array.from({ length: 8 }, (_, index) => `G${index}`);
    const made = await Promise.all(names.map((name) => world.run(['groups', 'create', '--name', name])));
    expect(made.map(({ code }) => code)).toEqual(names.map(() => 0));
    const entries = await world.history();
    expect(entries.map(({ n, outcome }) => ({ n, outcome }))).toEqual(
      names.map((_, index) => ({ n: 8 - index, outcome: 'done' })),
    );
    expect(entries.map(({ records }) => records).sort()).toEqual(names);
    for (const { n } of entries) expect((await world.run(['undo', String(n), '--yes'])).code).toBe(0);
    expect(world.state()).toEqual(start);
  });

  test('two undos of one deletion bring the record back once', async () => {
    const world = await World.start();
    const count = () => world.state().filter((row) => row.startsWith('people: ')).length;
    const people = count();
    expect((await world.run(['people', 'delete', 'Marek Ozols', '--yes'])).code).toBe(0);
    const undone = await Promise.all([1, 2, 3].map(() => world.run(['undo', '1', '--yes'])));
    const codes = undone.map(({ code }) => code).sort((a, b) => Number(a) - Number(b));
    expect(codes[0]).toBe(0);
    // The others ran at the same time or later.
    for (const code of codes.slice(1)) expect([2, 7]).toContain(code);
    expect(count()).toBe(people);
  });

  test('a change that another process makes meanwhile is a conflict for an undo', async () => {
    const world = await World.start();
    expect((await world.run(['vehicles', 'update', 'Van 01', '--plate', 'A 1'])).code).toBe(0);
    const ended = await Promise.all([
      world.run(['vehicles', 'update', 'Van 01', '--plate', 'B 2']),
      world.run(['undo', '1', '--yes']),
    ]);
    expect(ended[0]).toMatchObject({ code: 0 });
    const isUndone = ended[1].code === 0;
    const plate = world.state().find((row) => row.includes('"Van 01"') && row.startsWith('vehicles: ')) ?? '';
    // The later one wins; an undo that has read the other change sends nothing.
    if (isUndone) expect(plate).toMatch(/"licensePlate":"(B 2|510 JDR)"/);
    else {
      expect(ended[1]).toMatchObject({ code: 2, stderr: expect.stringContaining('licensePlate is "B 2" now') });
      expect(plate).toContain('"licensePlate":"B 2"');
    }
  });
});
