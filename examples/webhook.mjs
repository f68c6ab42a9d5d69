// @ts-check
// Posts vehicle status events to WEBHOOK_URL as JSON. `X-Signature`: hex HMAC-SHA256 of the body by
// WEBHOOK_SECRET. A retry has the same `id`. `node webhook.mjs 5 1`: every 5 s, until 1 event.
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { FleetClient } from 'fleet-telematics';

const { FLEET_BASE_URL = '', FLEET_USERNAME = '', FLEET_PASSWORD = '' } = process.env;
const { WEBHOOK_URL = '', WEBHOOK_SECRET = '' } = process.env;
const [seconds = '30', count = 'Infinity'] = process.argv.slice(2);

/** @param {string} url @param {{ secret: string }} options */
function webhook(url, { secret }) {
  return async (/** @type {object} */ event) => {
    const body = JSON.stringify({ id: randomUUID(), ...event });
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const headers = { 'Content-Type': 'application/json', 'X-Signature': signature };
    for (let waitMs = 500; ; waitMs = Math.min(waitMs * 2, 60_000)) {
      const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => null);
      // A refusal is final. Other failures may be temporary, so they are sent again.
      if (answer !== null && answer.status < 500 && answer.status !== 429) return answer.status;
      await pause(waitMs);
    }
  };
}

const credentials = { username: FLEET_USERNAME, password: FLEET_PASSWORD };
const fleet = new FleetClient({ baseUrl: FLEET_BASE_URL, credentials, share: 'machine' });
const send = webhook(WEBHOOK_URL, { secret: WEBHOOK_SECRET });

let sent = 0;
for await (const event of fleet.watchStatus({ intervalMs: Number(seconds) * 1000 })) {
  process.stdout.write(`${event.type}\t${await send(event)}\n`);
  if (++sent >= Number(count)) break;
}
await fleet.close();
