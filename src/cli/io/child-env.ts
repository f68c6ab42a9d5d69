// The environment for a browser or a pager, without credentials, because child processes inherit
// it.

export type Env = Readonly<Record<string, string | undefined>>;

/** All variables of this program that may hold a secret. */
const secrets = new Set([
  'FLEET_PASSWORD',
  'FLEET_CREDENTIAL_COMMAND',
  'FLEET_REDIS_KEY',
  'FLEET_REDIS_URL',
  'FLEET_WEBHOOK_SECRET',
  'FLEET_WEBHOOK_URL',
  'PGPASSWORD',
]);

/** Removes secrets. Proxy passwords stay, because the browser needs them. */
export function childEnv(env: Env): Env {
  // Windows ignores the case of a name.
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secrets.has(name.toUpperCase())));
}

/** Returns an empty environment, except for options of Yarn's Plug'n'Play to find files. */
export function bareEnv(): Record<string, string> {
  const { NODE_OPTIONS } = process.env;
  return process.versions.pnp === undefined || NODE_OPTIONS === undefined ? {} : { NODE_OPTIONS };
}
