// Bytes that no HTTP library sends: broken heads, wrong lengths, invalid chunks, other protocols.
import { connect } from 'node:net';
import type { Random } from './random.js';
import { characters, type World } from './values.js';

const body = '{"query":"{ getUserInfo { userId } }"}';

function head(world: World, lines: readonly string[]): string {
  return [
    'POST /graphql HTTP/1.1',
    'host: localhost',
    `authorization: Bearer ${world.token}`,
    `userid: ${world.userId}`,
    'content-type: application/json',
    ...lines,
    '\r\n',
  ].join('\r\n');
}

function corruptBytes(whole: string, random: Random): Buffer {
  const bytes = Buffer.from(whole);
  for (let left = 1 + random.below(6); left > 0; left -= 1) bytes[random.below(bytes.length)] = random.below(256);
  return bytes;
}

export function rawBytes(random: Random, world: World): Buffer {
  const sound = `${head(world, [`content-length: ${body.length}`])}${body}`;
  const made = random.pick<() => string | Buffer>([
    () => corruptBytes(sound, random),
    () => corruptBytes(sound, random),
    () => sound.slice(0, random.below(sound.length)),
    () => sound.repeat(1 + random.below(20)),
    () => sound.replaceAll('\r\n', random.pick(['\n', '\r', '\r\n ', '\r\n\r\n'])),
    () => head(world, [`content-length: ${random.pick(['-1', '1e9', '99999999999999999999', '0x10', '5, 5', ''])}`]) + body,
    () => head(world, ['content-length: 38', 'content-length: 39']) + body,
    () => head(world, ['content-length: 38', 'transfer-encoding: chunked']) + body,
    () => `${head(world, ['transfer-encoding: chunked'])}${random.pick(['26', 'ffffffffffffffff', 'zz', '-1', '26;x=y', ''])}\r\n${body}\r\n0\r\n\r\n`,
    () => `${head(world, ['transfer-encoding: chunked'])}${[...body].map((one) => `1\r\n${one}\r\n`).join('')}0\r\nx: y\r\n\r\n`,
    () => head(world, [`transfer-encoding: ${random.pick(['gzip', 'chunked, chunked', 'identity', 'x'])}`]) + body,
    () => head(world, [`x-long: ${'x'.repeat(random.below(100_000))}`, `content-length: ${body.length}`]) + body,
    () => head(world, Array.from({ length: random.below(3000) }, (_, at) => `x-${at}: ${at}`)) + body,
    () => head(world, [`expect: ${random.pick(['100-continue', '200-ok', ''])}`, `content-length: ${body.length}`]) + body,
    () => head(world, ['connection: Upgrade', `upgrade: ${random.pick(['websocket', 'h2c', 'x'])}`]) + body,
    () => `${random.pick(['GET', 'CONNECT', 'TRACE', 'PRI', 'X'.repeat(500), 'get', ''])} ${random.pick(['/graphql', '*', 'localhost:1', 'http://localhost/graphql', '//', '/%', '/\u0000', 'x'.repeat(20_000)])} HTTP/${random.pick(['1.1', '1.0', '0.9', '2.0', '9.9', 'x'])}\r\nhost: localhost\r\n\r\n`,
    () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    () => Buffer.from('16030100a5010000a10303', 'hex'),
    () => Buffer.from(characters(random, 1 + random.size(5000))),
  ])(); // biome-ignore format: one kind of bytes a line
  return Buffer.from(made);
}

/** Returns the status lines of the server's answers until a side closes the connection. */
export function answersTo(port: number, bytes: Buffer, waitMs: number): Promise<readonly string[]> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    // No data for a while: an endless request, or a keep-alive connection.
    socket.setTimeout(waitMs, () => socket.destroy());
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received.match(/^HTTP\/1\.1 \d{3}/gm) ?? []));
  });
}
