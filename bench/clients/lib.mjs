// @ts-check
// Login over plain HTTP and output, shared by the client programs. FLEET_BASE_URL sets the address.
import assert from 'node:assert/strict';

const base = process.env.FLEET_BASE_URL ?? 'http://127.0.0.1:4010';

export const graphqlUrl = `${base}/graphql`;

/** Logs in as demo and returns the headers of GraphQL requests. */
export async function headersOfDemo() {
  const form = new FormData();
  form.set('username', 'demo');
  form.set('password', 'demo');
  const granted = await fetch(`${base}/login/token`, { method: 'POST', body: form });
  assert.equal(granted.status, 200);
  /** @type {{ access_token: string }} */
  const { access_token: token } = JSON.parse(await granted.text());
  const headers = { authorization: `Bearer ${token}` };
  const users = await fetch(`${base}/login/userinfo`, { headers });
  assert.equal(users.status, 200);
  /** @type {{ userId: string }[]} */
  const [user] = JSON.parse(await users.text());
  assert.ok(user);
  return { ...headers, userId: user.userId };
}

/** @param {string} line */
export const say = (line) => process.stdout.write(`  ${line}\n`);
