// The nightly job of examples/ over HTTP, killed with SIGKILL at any point: after the next run its
// tables equal those of an uninterrupted run. Devices send several rows in a millisecond, and late
// rows.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { FleetClient, toDate } from 'fleet-telematics';
import { createMockService, type Listening } from 'fleet-telematics/mock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyPostgres, dropDatabase, inDatabase, newDatabase, skipped } from '../../packages/sync/test/server.js';
import { moment } from '../moment.js';
import { isFullRun } from '../runs.js';
import { root } from './markdown.js';
import { openWorkshop, type Workshop } from './workshop.js';

const MINUTE = 60_000;
const firstNight = Date.parse(moment);
const secondNight = firstNight + 180 * MINUTE;
const begin = new Date(firstNight - 240 * MINUTE);
const login = { username: 'demo', password: 'demo' };
const postgres = await anyPostgres();

/** The piece sent to the database or service at which a run is killed, before or after arrival. */
interface Kill {
  readonly at: 'database' | 'service';
  readonly piece: number;
  readonly arrives: boolean;
}

/** A proxy that counts the pieces that the program sends. */
class Passage {
  pieces = 0;
  onPiece: (piece: number) => boolean = () => true;
  readonly #server: Server;

  constructor(port: number) {
    this.#server = createServer((socket) => this.#pass(socket, connect(port, '127.0.0.1')));
  }

  async open(): Promise<number> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    // A server on TCP has an AddressInfo.
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
  }

  #pass(program: Socket, other: Socket): void {
    program.on('data', (piece) => {
      if (this.onPiece(++this.pieces)) other.write(piece);
    });
    other.pipe(program);
    // Connections of a killed program may fail.
    for (const [one, another] of [
      [program, other],
      [other, program],
    ] as const) {
      one.on('error', () => another.destroy());
      one.on('close', () => another.destroy());
    }
  }
}

/** True when the time of a snapshot key, `vehicle time ordinal`, is in the first run's period. */
const isInPeriod = (key: string): boolean => Date.parse(key.split(' ')[1] ?? '') >= begin.getTime();

describe.skipIf(postgres === null && skipped('the nightly job into PostgreSQL'))('nightly-own-database', () => {
  const service = createMockService({ vehicles: 4, clock: { now: () => firstNight } });
  let workshop: Workshop;
  let server: Listening;
  let toService: Passage;
  let servicePort = 0;

  beforeAll(async () => {
    workshop = await openWorkshop();
    copyFileSync(join(root, 'examples/nightly-own-database.mjs'), join(workshop.folder, 'job.mjs'));
    server = await service.listen();
    toService = new Passage(Number(new URL(server.url).port));
    servicePort = await toService.open();
  });
  afterAll(async () => {
    toService.close();
    await server.close();
    await workshop.close();
    postgres?.stop();
  });

  const client = () =>
    new FleetClient({ baseUrl: 'http://fleet.test', credentials: login, fetch: service.fetch, clock: service.clock });

  /** Creates the first night, with a vehicle whose rows share times and arrive late. */
  async function restart(): Promise<string[]> {
    service.reset();
    const vehicleIds = (await client().getVehicles({}, { select: { id: true } })).flatMap(({ id }) => id ?? []);
    const [scripted = ''] = vehicleIds;
    const at = (minutes: number) => firstNight + minutes * MINUTE;
    const gps = (minutes: number) => ({ state: true, latitude: 52 + minutes / 100, longitude: 13, speed: 50 });
    service.telemetry.script(scripted, [
      { at: at(-200), ignition: false },
      ...[-90, -89, -88, -87].map((minutes) => ({ at: at(minutes), ignition: true, gps: gps(minutes) })),
      { at: at(-80), ignition: false },
      // The ignition was on half an hour before it was reported.
      { at: at(-35), arrivesAt: at(10), ignition: true, gps: gps(-35) },
      { at: at(-30), arrivesAt: at(11), ignition: true, gps: gps(-30) },
      ...[-5, -4].map((minutes) => ({ at: at(minutes), ignition: true, gps: gps(minutes) })),
      ...[0, 1, 2].map((speed) => ({ at: at(-3), ignition: true, gps: { ...gps(-3), speed } })),
      { at: at(-3), arrivesAt: at(20), ignition: true, gps: { ...gps(-3), speed: 0.5 } },
      { at: at(60), ignition: false },
      { at: at(120), ignition: true, gps: gps(120) },
      { at: at(125), ignition: false },
    ]);
    return vehicleIds;
  }

  /** Runs the job; returns true when it was killed. `mayFail`: missing lists may fail the run. */
  async function run(
    toDatabase: Passage,
    env: Readonly<Record<string, string>>,
    end: number,
    kill: Kill | null,
    mayFail = false,
  ) {
    const args = ['job.mjs', begin.toISOString(), new Date(end).toISOString()];
    const child = spawn(process.execPath, args, {
      cwd: workshop.folder,
      env: { ...workshop.env, ...env },
      stdio: ['ignore', 'inherit', mayFail ? 'ignore' : 'inherit'],
    });
    for (const [at, passage] of Object.entries({ database: toDatabase, service: toService })) {
      passage.pieces = 0;
      passage.onPiece = (piece) => {
        if (kill?.at !== at || piece < kill.piece) return true;
        child.kill('SIGKILL');
        return kill.arrives && piece === kill.piece;
      };
    }
    const [code, signal] = await once(child, 'exit');
    const wasKilled = signal === 'SIGKILL' && kill !== null;
    if (!wasKilled) expect(mayFail ? [0, 1] : [0]).toContain(code);
    expect(signal).toBe(wasKilled ? 'SIGKILL' : null);
    return wasKilled;
  }

  const pieces = { database: 0, service: 0 };
  let runs = 0;

  async function envOf(toDatabase: Passage, url: string): Promise<Readonly<Record<string, string>>> {
    const database = new URL(url);
    database.port = String(await toDatabase.open());
    return {
      FLEET_BASE_URL: `http://127.0.0.1:${servicePort}`,
      FLEET_USERNAME: login.username,
      FLEET_PASSWORD: login.password,
      // Separate for these runs: the service's clock goes back for others.
      FLEET_CONFIG_DIR: join(workshop.folder, `runs-${++runs}`),
      DATABASE_URL: database.href,
    };
  }

  function tablesOf(url: string): Promise<readonly (readonly unknown[])[]> {
    return inDatabase(url, 'SELECT kind, key, data FROM reported ORDER BY kind, key COLLATE "C"');
  }

  /** Runs two nights, each killed before a complete run; returns the tables. */
  async function twoNights(kills: readonly (Kill | null)[]) {
    const url = await newDatabase(postgres?.port ?? 0);
    const toDatabase = new Passage(postgres?.port ?? 0);
    const env = await envOf(toDatabase, url);
    let killed = 0;
    try {
      for (const [night, end] of [firstNight, secondNight].entries()) {
        service.clock.set(end);
        const kill = kills[night] ?? null;
        if (kill !== null && (await run(toDatabase, env, end, kill))) killed++;
        await run(toDatabase, env, end, null);
        pieces.database = Math.max(pieces.database, toDatabase.pieces);
        pieces.service = Math.max(pieces.service, toService.pieces);
      }
      return { killed, rows: await tablesOf(url) };
    } finally {
      toDatabase.close();
      await dropDatabase(url);
    }
  }

  async function expectedRows(vehicleIds: readonly string[], night: number): Promise<(readonly unknown[])[]> {
    service.clock.set(night);
    const period = { vehicleIds, from: begin, to: new Date(night) };
    const select = { timestamp: true, gps: { speed: true }, canBus: { canDistance: true } } as const;
    const rows = new Map<string, readonly unknown[]>();
    for await (const row of client().streamSnapshots(period, { select })) {
      const key = `${row.vehicleId} ${toDate(row.timestamp)?.toISOString()} ${row.ordinal}`;
      rows.set(`snapshot ${key}`, ['snapshot', key, row]);
    }
    for await (const trip of client().streamTrips(period)) rows.set(`trip ${trip.id}`, ['trip', trip.id, trip]);
    return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  }

  test('is exact wherever it is killed', { timeout: 900_000 }, async () => {
    const vehicleIds = await restart();
    const expected = await expectedRows(vehicleIds, secondNight);
    expect(expected.filter(([kind, key]) => kind === 'snapshot' && String(key).endsWith(' 3')).length).toBeGreaterThan(
      0,
    );
    expect(expected.filter(([kind]) => kind === 'trip').length).toBeGreaterThan(4);
    await restart();
    expect((await twoNights([null, null])).rows).toEqual(expected);

    const kill = fc.oneof(
      ...(['database', 'service'] as const).map((at) =>
        fc.record({
          at: fc.constant(at),
          piece: fc.integer({ min: 1, max: pieces[at] }),
          arrives: fc.boolean(),
        }),
      ),
    );
    let killed = 0;
    await fc.assert(
      fc.asyncProperty(kill, kill, async (first, second) => {
        await restart();
        const nights = await twoNights([first, second]);
        killed += nights.killed;
        // A continued run reads the hour before its cursor again, which may begin before the first
        // run: these rows are valid too.
        expect(nights.rows.filter(([kind, key]) => kind !== 'snapshot' || isInPeriod(String(key)))).toEqual(expected);
      }),
      { numRuns: isFullRun ? 12 : 3, endOnFailure: true },
    );
    expect(killed).toBeGreaterThan(isFullRun ? 20 : 4);
  });

  test('loses no row to lists that are null, with kills in between', { timeout: 900_000 }, async () => {
    const vehicleIds = await restart();
    const expected = await expectedRows(vehicleIds, secondNight);
    await restart();
    const url = await newDatabase(postgres?.port ?? 0);
    const toDatabase = new Passage(postgres?.port ?? 0);
    const env = await envOf(toDatabase, url);
    const runCount = isFullRun ? 20 : 3;
    let killed = 0;
    let withNulls = 0;
    try {
      service.clock.set(secondNight);
      for (let runs = 0; killed < runCount; runs++) {
        service.clearAnswers();
        const vehicleId = vehicleIds[runs % vehicleIds.length] ?? '';
        // One null list is read again; two fail the vehicle, whose next run continues after its
        // rows.
        service.answer('getSnapshots', null, { when: { vehicleId }, times: 1 + (runs % 3) });
        const at = runs % 2 === 0 ? 'database' : 'service';
        const kill: Kill = { at, piece: 2 + ((runs * 7) % 11), arrives: runs % 4 < 2 };
        if (await run(toDatabase, env, secondNight, kill, true)) killed++;
        if (service.answers.length === 0) withNulls++;
      }
      service.clearAnswers();
      await run(toDatabase, env, secondNight, null);
      const rows = await tablesOf(url);
      expect(rows.filter(([kind, key]) => kind !== 'snapshot' || isInPeriod(String(key)))).toEqual(expected);
      expect(withNulls).toBeGreaterThan(0);
    } finally {
      service.clearAnswers();
      toDatabase.close();
      await dropDatabase(url);
    }
  });

  test('keeps all rows of a vehicle that is not in the fleet any more', { timeout: 120_000 }, async () => {
    const [left = '', ...others] = await restart();
    const expected = await expectedRows([left, ...others], firstNight);
    await restart();
    const url = await newDatabase(postgres?.port ?? 0);
    try {
      const toDatabase = new Passage(postgres?.port ?? 0);
      const env = await envOf(toDatabase, url);
      await run(toDatabase, env, firstNight, null);
      service.answer(
        'getVehicles',
        others.map((id) => ({ id })),
      );
      await run(toDatabase, env, firstNight, null);
      toDatabase.close();
      expect(await tablesOf(url)).toEqual(expected);
    } finally {
      service.clearAnswers();
      await dropDatabase(url);
    }
  });
});
