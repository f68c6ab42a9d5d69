// Tests a PostgreSQL that refuses rows or ends the connection: the sync reports the cause and
// releases the copy. Objects that users add to the tables do no harm.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeClient, makeService, rejection, START } from '../../../test/request/setup.js';
import { postgresTarget, SyncTargetError, sqliteTarget, syncFleet, syncParts } from '../src/index.js';
import { rowOf } from '../src/rows.js';
import type { Batch, OpenTarget } from '../src/target.js';
import { contentOf, tempFile } from './copies.js';
import { anyPostgres, databaseOfFile, inDatabase, skipped } from './server.js';

const server = await anyPostgres();
const port = server?.port ?? 0;

/** A trigger of a user for new vehicles. */
const trigger = (
  body: string,
) => `CREATE FUNCTION act() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NEW; END $$;
  CREATE TRIGGER acts BEFORE INSERT ON vehicles FOR EACH ROW EXECUTE FUNCTION act()`;

describe.skipIf(server === null && skipped('the refusals of PostgreSQL'))('PostgreSQL', () => {
  const service = makeService({ vehicles: 3 });
  let url = '';
  databaseOfFile(server, (own) => {
    url = own;
  });
  let schemas = 0;
  const newCopy = async () => {
    const schema = `copy_${++schemas}`;
    await inDatabase(url, `CREATE SCHEMA ${schema}`);
    const copy = `${url}?search_path=${schema}`;
    await (await postgresTarget(copy).open()).close();
    return copy;
  };
  const vehicles = { parts: ['vehicles'] } as const;

  test.each([
    // A trigger raises the error of a server whose file cannot grow.
    [
      'a full disk',
      trigger("RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100';"),
      'FULL',
      '53100',
      'no space left',
    ],
    ['a statement that takes too long', trigger('PERFORM pg_sleep(60);'), 'FAILED', '57014', 'statement timeout'],
    [
      'a column that must have a value',
      'ALTER TABLE vehicles ADD COLUMN cost_centre text NOT NULL',
      'FAILED',
      '23502',
      'column "cost_centre"',
    ],
    [
      'a check',
      "ALTER TABLE vehicles ADD CONSTRAINT short CHECK (name = 'x')",
      'FAILED',
      '23514',
      'constraint "short"',
    ],
    ['a trigger', trigger("RAISE EXCEPTION 'not in the holidays';"), 'FAILED', 'P0001', 'not in the holidays'],
    ['a column that is gone', 'ALTER TABLE vehicles DROP COLUMN vin', 'FAILED', '42703', 'column "vin"'],
    [
      'a lock that another program holds',
      trigger("RAISE EXCEPTION 'canceling statement due to lock timeout' USING ERRCODE = '55P03';"),
      'IN_USE',
      '55P03',
      'locked',
    ],
    [
      'a deadlock',
      trigger("RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01';"),
      'IN_USE',
      '40P01',
      'locked',
    ],
    [
      'a server that can only be read',
      trigger("RAISE EXCEPTION 'cannot execute INSERT' USING ERRCODE = '25006';"),
      'REFUSED',
      '25006',
      'can only be read',
    ],
    ['a table that is gone', 'ALTER TABLE vehicle_groups RENAME TO mine', 'FAILED', '42P01', 'is damaged'],
    [
      'a key that is gone',
      'ALTER TABLE vehicle_groups DROP CONSTRAINT vehicle_groups_pkey',
      'FAILED',
      '42P10',
      'is damaged',
    ],
    ['a right that is gone', 'REVOKE', 'REFUSED', '42501', 'lacks a right'],
    [
      'a backend that ends',
      trigger('PERFORM pg_terminate_backend(pg_backend_pid());'),
      'UNREACHABLE',
      'CONNECTION_CLOSED',
      'does not answer',
    ],
  ])(
    '%s ends the sync with its cause, and the next sync can begin',
    async (_what, statements, reason, cause, named) => {
      let copy = `${await newCopy()}&statement_timeout=200`;
      if (statements === 'REVOKE') copy = await asRoleWithoutRights(copy, schemas);
      else await inDatabase(copy, statements);
      const error = await rejection(syncFleet(makeClient(service), postgresTarget(copy), vehicles));
      expect(error).toBeInstanceOf(SyncTargetError);
      expect(error).toMatchObject({ reason, cause: { code: cause }, message: expect.stringContaining(named) });
      // The detail of a constraint has the whole row.
      expect((error as SyncTargetError).message).not.toContain('Failing row');
      expect(await inDatabase(url, `SELECT count(*)::int FROM copy_${schemas}.vehicles`)).toEqual([[0]]);
      const next = await rejection(syncFleet(makeClient(service), postgresTarget(copy), vehicles));
      expect(next).toMatchObject({ reason, cause: { code: cause } });
    },
  );

  /** Returns the address for a user who may write to all tables but the vehicles. */
  const asRoleWithoutRights = async (copy: string, number: number) => {
    const role = `clerk_${number}_${new URL(url).pathname.slice(-8)}`;
    await inDatabase(
      copy,
      `CREATE ROLE ${role} LOGIN; GRANT USAGE, CREATE ON SCHEMA copy_${number} TO ${role};
       GRANT ALL ON ALL TABLES IN SCHEMA copy_${number} TO ${role}; REVOKE INSERT ON vehicles FROM ${role}`,
    );
    onTestFinished(async () => void (await inDatabase(copy, `DROP OWNED BY ${role}; DROP ROLE ${role}`)));
    return copy.replace('postgres@', `${role}@`);
  };

  test('columns, generated columns, triggers, views and indexes of the user do no harm', async () => {
    const [copy, file] = [await newCopy(), tempFile()];
    await inDatabase(
      copy,
      `ALTER TABLE vehicles ADD COLUMN cost_centre text DEFAULT 'none';
       ALTER TABLE trips ADD COLUMN distance_miles double precision GENERATED ALWAYS AS (distance_km / 1.609344) STORED;
       ALTER TABLE snapshots ADD COLUMN seen_at timestamptz DEFAULT now();
       CREATE VIEW names AS SELECT id, name FROM vehicles;
       CREATE INDEX ON trips (driver_id);
       CREATE TABLE log (id text);
       ${trigger('INSERT INTO log VALUES (NEW.id);')}`,
    );
    const options = { since: new Date(START - 3_600_000), parts: syncParts };
    await syncFleet(makeClient(service), sqliteTarget(file), options);
    await syncFleet(makeClient(service), postgresTarget(copy), options);
    await inDatabase(copy, "UPDATE vehicles SET cost_centre = 'mine'");
    await inDatabase(copy, "UPDATE vehicles SET record = '{}'");
    await syncFleet(makeClient(service), postgresTarget(copy), options);
    await syncFleet(makeClient(service), sqliteTarget(file), options);
    expect(await contentOf(postgresTarget(copy))).toEqual(await contentOf(sqliteTarget(file)));
    expect(await inDatabase(copy, 'SELECT DISTINCT cost_centre FROM vehicles')).toEqual([['mine']]);
    expect(await inDatabase(copy, 'SELECT count(*)::int FROM names')).toEqual([[3]]);
    const miles = 'SELECT count(*)::int FROM trips WHERE abs(distance_miles * 1.609344 - distance_km) > 0.001';
    expect(await inDatabase(copy, miles)).toEqual([[0]]);
    expect(await inDatabase(copy, 'SELECT count(DISTINCT id)::int FROM log')).toEqual([[3]]);
  });

  describe('a connection that ends at any moment of writing ends the batch, and nothing is uncaught', () => {
    const uncaught: unknown[] = [];
    const recordError = (error: unknown) => void uncaught.push(error);
    let copy = '';
    beforeEach(async () => {
      copy = await newCopy();
      uncaught.length = 0;
      process.on('uncaughtException', recordError).on('unhandledRejection', recordError);
    });
    afterEach(() => {
      process.off('uncaughtException', recordError).off('unhandledRejection', recordError);
    });
    const rows = Array.from({ length: 3000 }, (_, at) => rowOf('labels', { id: String(at), name: 'x'.repeat(200) }));
    const batch: Batch = { steps: [{ kind: 'upsert', table: 'labels', rows }], cursors: [] };

    /** Ends the connection after each number of turns of the event loop. */
    const endAfterTurns = async (address: string, end: () => unknown) => {
      let ended = 0;
      for (let turns = 0; turns < 60; turns++) {
        const open = await openWhenFree(address);
        const writing = open.apply(batch).then(
          () => null,
          (error: unknown) => error,
        );
        for (let turn = 0; turn < turns; turn++) await nextTurn();
        await end();
        const outcome = await writing;
        if (outcome !== null) {
          ended++;
          expect(outcome).toMatchObject({ name: 'SyncTargetError', reason: 'UNREACHABLE' });
        }
        // There is no second connection: the lock ended with the first one.
        expect(await rejection(open.apply(batch))).toMatchObject({ reason: 'UNREACHABLE' });
        await open.close();
      }
      expect(ended).toBeGreaterThan(0);
      expect(uncaught).toEqual([]);
      expect(await inDatabase(copy, 'SELECT count(*)::int IN (0, 3000) FROM labels')).toEqual([[true]]);
    };

    test('ended by the server', async () => {
      const killer = postgres(url, { max: 1 });
      onTestFinished(() => killer.end());
      await endAfterTurns(
        copy,
        () => killer`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'fleet sync'`,
      );
    });

    test('reset by the network', async () => {
      const sockets = new Set<Socket>();
      const proxy = await listen((socket) => {
        const onward = connect(port, '127.0.0.1');
        for (const end of [socket, onward]) sockets.add(end.on('error', () => undefined));
        socket.pipe(onward).pipe(socket);
      });
      await endAfterTurns(copy.replace(`:${port}/`, `:${proxy}/`), () => {
        for (const socket of sockets) socket.resetAndDestroy();
        sockets.clear();
      });
    });
  });

  test('an address that accepts connections and ends them does not answer', async () => {
    let connections = 0;
    const closing = await listen((socket) => {
      connections++;
      socket.destroy();
    });
    const target = postgresTarget(`postgres://postgres@127.0.0.1:${closing}/x`);
    expect(await rejection(target.open())).toMatchObject({ reason: 'UNREACHABLE' });
    expect(connections).toBe(1);
  });

  test('of the hosts in PGHOST the first one that answers is used', async () => {
    const hosts = (...ports: readonly number[]) => ports.map((one) => `127.0.0.1:${one}`).join(',');
    vi.stubEnv('PGUSER', 'postgres');
    onTestFinished(() => void vi.unstubAllEnvs());
    const target = postgresTarget(`postgres://${new URL(url).pathname}`);
    vi.stubEnv('PGHOST', hosts(1, port));
    await (await target.open()).close();
    vi.stubEnv('PGHOST', hosts(1, 1));
    expect(await rejection(target.open())).toMatchObject({ reason: 'UNREACHABLE' });
  });
});

/** Retries while the server releases the lock of an ended connection. */
async function openWhenFree(address: string): Promise<OpenTarget> {
  for (;;) {
    try {
      return await postgresTarget(address).open();
    } catch (error) {
      if (!(error instanceof SyncTargetError) || error.reason !== 'IN_USE') throw error;
    }
  }
}

/** Starts a server for the test and returns its port. */
async function listen(onConnection: (socket: Socket) => void): Promise<number> {
  const server = createServer(onConnection).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
