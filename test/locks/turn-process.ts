// The program of turn-processes.heavy.test.ts: takes and ends the turn of one key on command.
import { createInterface } from 'node:readline';
import { fileGate } from '../../src/locks/file-gate.js';

const [, , directory = ''] = process.argv;
const say = (text: string) => process.stdout.write(`${text}\n`);
const gate = fileGate({ directory, onWarning: ({ code }) => say(code) });
const leaving = new AbortController();
let end = () => {};
const ended = new Promise<void>((resolve) => {
  end = resolve;
});
const input = createInterface({ input: process.stdin });

async function work() {
  say('turn');
  await ended;
}

const words: Readonly<Record<string, () => void>> = {
  ask() {
    gate.hold('key', work, { signal: leaving.signal }).then(
      () => {
        input.close();
        say('ended');
      },
      () => {
        input.close();
        say('left');
      },
    );
    say('asked');
  },
  end: () => end(),
  leave: () => leaving.abort(),
  ping: () => setImmediate(() => setImmediate(() => say('pong'))),
};
input.on('line', (word) => words[word]?.());
say(`pid ${process.pid}`);
say('ready');
