// @ts-check
// Starts a program of programs/ with a job, and reads its messages.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * @template Message
 * @typedef {object} Program
 * @property {() => Promise<Message>} nextMessage rejects when the program ends without one
 * @property {() => Promise<void>} stop
 */

/**
 * @template Message
 * @param {string} name of the file in programs/
 * @param {object} job
 * @param {{ execArgv?: string[], env?: NodeJS.ProcessEnv }} [options]
 * @returns {Program<Message>}
 */
export function startProgram(name, job, options = {}) {
  const child = fork(fileURLToPath(new URL(`../programs/${name}`, import.meta.url)), [JSON.stringify(job)], options);
  const exit = once(child, 'exit');
  return {
    async nextMessage() {
      const [message] = await Promise.race([
        once(child, 'message'),
        exit.then(([code]) => Promise.reject(new Error(`${name} ended with ${code}`))),
      ]);
      return message;
    },
    async stop() {
      child.kill();
      await exit;
    },
  };
}
