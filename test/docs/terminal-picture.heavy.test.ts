// The terminal picture in the README equals the real output of the command line.
// `npx vitest run test/docs/terminal-picture.heavy.test.ts -u` draws it again.
import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { run } from '../../src/cli/run/run.js';
import { packages } from '../cli/packages.js';
import { pictureOf } from './terminal-picture.js';

const columns = 118;
const time = '2026-03-02T12:10Z';
const commands: readonly (readonly string[])[] = [
  ['vehicles', 'list', '--demo', '--demo-time', time, '--limit', '8'],
  ['trips', 'list', 'Van 02', '--from', '2026-03-02', '--demo', '--demo-time', time],
];

async function printed(words: readonly string[]): Promise<string> {
  let text = '';
  const screen = () =>
    Object.assign(
      new Writable({
        write(chunk, _encoding, done) {
          text += String(chunk);
          done();
        },
      }),
      { isTTY: true, columns, rows: 40 },
    );
  const code = await run(words, {
    stdin: new PassThrough(),
    stdout: screen(),
    stderr: screen(),
    env: { TERM: 'xterm-256color', TZ: 'UTC' },
    signal: new AbortController().signal,
    packages,
  });
  expect(code).toBe(0);
  return text;
}

test('docs/terminal.svg shows a real run', async () => {
  const scenes = [];
  for (const words of commands) {
    const command = ['fleet', ...words].map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ');
    scenes.push({ command, printed: await printed(words) });
  }
  await expect(pictureOf(scenes, columns)).toMatchFileSnapshot('../../docs/terminal.svg');
});
