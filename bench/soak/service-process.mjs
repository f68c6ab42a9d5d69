// @ts-check
// Starts the service of a soak.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** @param {import('../../dist/mock/service.js').MockServiceOptions} options */
export async function startService(options) {
  const child = fork(fileURLToPath(new URL('service.mjs', import.meta.url)), [JSON.stringify(options)]);
  const exit = once(child, 'exit');
  const told = async () => {
    const failed = exit.then(([code]) => Promise.reject(new Error(`the service's process ended with ${code}`)));
    const [message] = await Promise.race([once(child, 'message'), failed]);
    return message;
  };
  /** @type {{ url: string }} */
  const { url } = await told();
  /** Questions are asked one after the other. @type {Promise<unknown>} */
  let asked = Promise.resolve();
  const ask = () => {
    child.send('held');
    return told();
  };
  return {
    url,
    /** @returns {Promise<import('./service.mjs').Held>} */
    held() {
      const answer = asked.then(ask);
      asked = answer;
      return answer;
    },
    async stop() {
      child.kill();
      await exit;
    },
  };
}
