// @ts-check
// Starts a server of serve.mjs in its own process, to separate its resource use from the clients'.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Server
 * @property {string} url
 * @property {number} port
 * @property {number} startedInMs time to create it and listen
 * @property {import('./prepared.mjs').SnapshotsInfo} about only of a prepared server
 * @property {(answers: import('./serve.mjs').PlainAnswer[]) => Promise<void>} answerWith only of a
 * plain server
 * @property {() => Promise<void>} stop
 */

/** @param {import('./serve.mjs').Config} config @returns {Promise<Server>} */
export async function startServer(config) {
  const child = fork(fileURLToPath(new URL('serve.mjs', import.meta.url)), [JSON.stringify(config)]);
  const exit = once(child, 'exit');
  const nextMessage = async () => {
    // Waits for a message or the end of a failed process.
    const [message] = await Promise.race([
      once(child, 'message'),
      exit.then(([code]) => Promise.reject(new Error(`the server's process ended with ${code}`))),
    ]);
    return message;
  };
  const { port, startedInMs, about } = await nextMessage();
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    startedInMs,
    about,
    async answerWith(answers) {
      child.send({ answers });
      await nextMessage();
    },
    async stop() {
      child.kill();
      await exit;
    },
  };
}
