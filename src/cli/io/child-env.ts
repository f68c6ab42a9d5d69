// The environment of the programs that a command starts: a browser, a pager, and whatever these start. They need none of the credentials,
// and everything that they start would have them too.

/** Every variable that is read here and holds a secret, or may hold one. */
const secrets = new Set([
  'FLEET_PASSWORD',
  'FLEET_CREDENTIAL_COMMAND',
  'FLEET_REDIS_KEY',
  'FLEET_REDIS_URL',
  'FLEET_WEBHOOK_SECRET',
  'FLEET_WEBHOOK_URL',
  'PGPASSWORD',
]);

type Env = Readonly<Record<string, string | undefined>>;

/** A proxy stays, with the password that its address may have: the browser needs it for its own connections. */
export function childEnv(env: Env): Env {
  // Windows ignores the case of a name.
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secrets.has(name.toUpperCase())));
}

/**
 * Returns the environment of a thread or process that runs a file of ours: empty, but for the options with which Yarn's Plug'n'Play makes
 * Node find the file.
 */
export function bareEnv(): Record<string, string> {
  const { NODE_OPTIONS } = process.env;
  return process.versions.pnp === undefined || NODE_OPTIONS === undefined ? {} : { NODE_OPTIONS };
}
