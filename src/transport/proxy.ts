// Reads the proxy variables of the environment. A variable may contain a password, so messages
// repeat only its name.
import { InvalidInputError } from '../core/errors.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ProxySettings {
  readonly httpProxy: string | undefined;
  readonly httpsProxy: string | undefined;
  readonly noProxy: string | undefined;
}

/** @throws {InvalidInputError} that names the variable, when one does not contain an address. */
export function proxySettings(env: Environment): ProxySettings {
  return {
    httpProxy: addressIn(env, 'http_proxy'),
    httpsProxy: addressIn(env, 'https_proxy'),
    noProxy: env[nameIn(env, 'no_proxy')],
  };
}

export function hasProxy({ httpProxy, httpsProxy }: ProxySettings): boolean {
  return httpProxy !== undefined || httpsProxy !== undefined;
}

/** The lower-case name has precedence, as in other programs. */
function nameIn(env: Environment, name: string): string {
  return env[name] ? name : name.toUpperCase();
}

function addressIn(env: Environment, variable: string): string | undefined {
  const name = nameIn(env, variable);
  const value = env[name]?.trim();
  if (!value) return undefined;
  // The scheme is often left out, as in `127.0.0.1:3128`.
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (URL.canParse(address) && new URL(address).hostname !== '') return address;
  throw new InvalidInputError(
    `The environment variable ${name} must be the address of a proxy, such as http://host:3128. Correct or unset it.`,
  );
}
