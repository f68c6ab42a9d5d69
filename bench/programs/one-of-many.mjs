// @ts-check
// One of many processes of one user. It reports when it has loaded everything, looks a vehicle up on a signal, and reports the result.
// scenarios/processes.mjs starts it, with the SDK or as a script without the SDK.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadProduct } from '../lib/product.mjs';
import { demo } from '../lib/scenario.mjs';
import { byIdDocument, small } from '../lib/vehicle-queries.mjs';

/** @typedef {{ way: 'sdk' | 'script', url: string, id: string, folder: string }} Job */
/** @typedef {{ error: string | null, refused: number }} Told `refused`: answers of 429 that this process saw */

/** @type {Job} */
const { way, url, id, folder } = JSON.parse(process.argv[2] ?? '{}');
let refused = 0;

/** Makes ready; what it returns does the work. @type {Record<Job['way'], () => Promise<() => Promise<void>>>} */
const ways = {
  async sdk() {
    process.env.FLEET_CONFIG_DIR = folder;
    const { FleetClient } = await loadProduct();
    return async () => {
      const fleet = new FleetClient({
        baseUrl: url,
        credentials: demo,
        share: 'machine',
        hooks: {
          onResponse({ status }) {
            if (status === 429) refused += 1;
          },
        },
      });
      await fleet.getVehicleById({ id }, { select: small });
      await fleet.close();
    };
  },

  /** graphql-request and a file for the token, which is what one writes first. */
  async script() {
    const { GraphQLClient, ClientError } = await import('graphql-request');
    const file = join(folder, 'token.json');
    const logIn = async () => {
      const form = new FormData();
      for (const [name, value] of Object.entries(demo)) form.set(name, value);
      const granted = await fetch(`${url}/login/token`, { method: 'POST', body: form });
      /** @type {any} */
      const { access_token: token } = await granted.json();
      const headers = { authorization: `Bearer ${token}` };
      /** @type {any} */
      const [user] = await (await fetch(`${url}/login/userinfo`, { headers })).json();
      const session = { headers: { ...headers, userId: user.userId }, until: Date.now() + 290_000 };
      await writeFile(`${file}.${process.pid}`, JSON.stringify(session));
      await rename(`${file}.${process.pid}`, file);
      return session;
    };
    const kept = async () => {
      const session = JSON.parse(await readFile(file, 'utf8'));
      return session.until > Date.now() ? session : logIn();
    };
    return async () => {
      const { headers } = await kept().catch(logIn);
      const client = new GraphQLClient(`${url}/graphql`, { headers });
      try {
        await client.request(byIdDocument, { id });
      } catch (error) {
        if (error instanceof ClientError && error.response.status === 429) refused += 1;
        throw error;
      }
    };
  },
};

const work = await ways[way]();
process.send?.('ready');
process.once('message', async () => {
  const error = await work().then(
    () => null,
    (/** @type {unknown} */ reason) => (reason instanceof Error ? reason.message.slice(0, 200) : String(reason)),
  );
  process.send?.({ error, refused }, () => process.exit());
});
