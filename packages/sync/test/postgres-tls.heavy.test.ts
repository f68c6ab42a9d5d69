// Tests that connections to PostgreSQL on other hosts are encrypted by default. A server in front
// accepts or refuses TLS. 0.0.0.0 counts as another host by its name, but the system connects to
// this machine, so no network is needed.
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { shellOf, service as shellService } from '../../../test/cli/harness.js';
import { makeClient, makeService, rejection } from '../../../test/request/setup.js';
import { postgresTarget, type SyncTargetError, syncFleet } from '../src/index.js';
import { postgresTargetOf } from '../src/postgres/postgres-target.js';
import { anyPostgres, dropDatabase, newDatabase, skipped } from './server.js';

const server = await anyPostgres();
const port = server?.port ?? 0;

const pem = (name: string) => readFileSync(new URL(`../../../test/request/tls/${name}`, import.meta.url), 'utf8');
/** Length and code of a client's message that requests TLS. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** Starts a server that answers and counts requests for TLS, and forwards the rest. */
async function front(takesTls: boolean) {
  const traffic = { asked: 0, plain: '' };
  const sockets = new Set<Socket>();
  const handOn = (client: Socket | TLSSocket, first?: Buffer) => {
    const upstream = connect(port, '127.0.0.1');
    sockets.add(upstream);
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
    if (first) upstream.write(first);
    client.pipe(upstream).pipe(client);
  };
  const listener = createServer((client) => {
    sockets.add(client);
    client.on('error', () => undefined);
    client.once('data', (first: Buffer) => {
      if (!first.equals(SSL_REQUEST)) {
        traffic.plain += first.toString('latin1');
        return handOn(client, first);
      }
      traffic.asked++;
      client.write(takesTls ? 'S' : 'N');
      if (takesTls)
        return handOn(new TLSSocket(client, { isServer: true, key: pem('server.key'), cert: pem('server.pem') }));
      client.once('data', (next: Buffer) => {
        traffic.plain += next.toString('latin1');
        handOn(client, next);
      });
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  });
  // A listening TCP server has an AddressInfo.
  return { ...(listener.address() as AddressInfo), traffic };
}

describe.skipIf(server === null && skipped('TLS to PostgreSQL'))('PostgreSQL', () => {
  afterAll(() => server?.stop());

  async function place(host: string, takesTls: boolean, settings = '') {
    const { port: own, traffic } = await front(takesTls);
    const url = await newDatabase(port);
    onTestFinished(() => dropDatabase(url));
    const notices: string[] = [];
    const address = `postgres://postgres@${host}:${own}${new URL(url).pathname}${settings}`;
    const open = async (env: Readonly<Record<string, string>> = {}) => {
      const target = postgresTargetOf(address, { env, onNotice: (message) => notices.push(message) });
      await (await target.open()).close();
    };
    return { open, notices, traffic, address };
  }

  test('on another host is spoken to in TLS, and nothing is said', async () => {
    const { open, notices, traffic } = await place('0.0.0.0', true);
    await open();
    expect([traffic, notices]).toEqual([{ asked: 1, plain: '' }, []]);
  });

  test('on another host that refuses TLS gets nothing, and the error says what to do', async () => {
    const { address, traffic } = await place('0.0.0.0', false);
    const error = (await rejection(syncFleet(makeClient(makeService()), postgresTarget(address)))) as SyncTargetError;
    expect(error).toMatchObject({ reason: 'REFUSED', message: expect.stringContaining('does not take TLS') });
    expect(error.message).toContain('Neither user nor password was sent');
    expect(error.hint).toContain('?sslmode=disable');
    expect(traffic).toEqual({ asked: 1, plain: '' });
  });

  test.each([
    ['?sslmode=disable', {}, 0],
    ['?sslmode=prefer', {}, 1],
    ['', { PGSSLMODE: 'disable' }, 0],
    ['', { PGSSLMODE: 'prefer' }, 1],
    ['?sslmode=disable', { PGSSLMODE: 'require' }, 0],
  ])('without TLS on another host (%j, %j) goes on, and says so', async (settings, env, tlsRequests) => {
    const { open, notices, traffic } = await place('0.0.0.0', false, settings);
    await open(env);
    expect(traffic.asked).toBe(tlsRequests);
    expect(notices).toEqual([expect.stringContaining('is not encrypted')]);
    expect(notices[0]).not.toContain('postgres@');
  });

  test('on this machine is spoken to as it is, unless the address asks for TLS', async () => {
    const plain = await place('127.0.0.1', false);
    await plain.open();
    expect([plain.traffic.asked, plain.notices]).toEqual([0, []]);
    const encrypted = await place('127.0.0.1', true, '?sslmode=require');
    await encrypted.open();
    expect(encrypted.traffic).toEqual({ asked: 1, plain: '' });
  });

  test.each(['verify-ca', 'verify-full'])(
    'with a certificate of nobody who is trusted is refused: %s',
    async (mode) => {
      const { open, traffic } = await place('127.0.0.1', true, `?sslmode=${mode}`);
      const error = (await rejection(open())) as SyncTargetError;
      expect(error).toMatchObject({ reason: 'REFUSED', message: expect.stringContaining('certificate') });
      expect(error.hint).toContain('NODE_EXTRA_CA_CERTS');
      expect(traffic.plain).toBe('');
    },
  );

  test('the command line says so too, and ends with exit code 3 where TLS is refused', async () => {
    const fleet = shellOf('demo', shellService().fetch);
    const open = await place('0.0.0.0', false, '?sslmode=disable');
    const traffic = await fleet(['sync', open.address, '--only', 'labels']);
    expect([traffic.code, traffic.stderr]).toEqual([0, expect.stringContaining('is not encrypted')]);
    const refused = await place('0.0.0.0', false);
    const error = await fleet(['sync', refused.address, '--only', 'labels']);
    expect([error.code, error.stderr]).toEqual([3, expect.stringContaining('?sslmode=disable')]);
  });
});

test.each(['?sslmode=on', '?ssl=true'])('a setting that PostgreSQL does not know is refused: %s', (settings) => {
  expect(() => postgresTarget(`postgres://localhost/fleet${settings}`)).toThrow(/Nothing was read/);
});
