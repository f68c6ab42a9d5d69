// Sources of credentials for logins without a prompt. They are read when a login needs them.
import { hashedName } from '../../core/hashed-name.js';
import type { Env } from '../io/child-env.js';

export type CredentialSource =
  | {
      readonly kind: 'password';
      /** Never print it. */
      readonly password: string;
    }
  | { readonly kind: 'file'; readonly path: string }
  | {
      readonly kind: 'command';
      /** May contain a secret: never print it. */
      readonly command: string;
      readonly isOfProfile: boolean;
    };

/** Returns the source, else null. A password needs FLEET_USERNAME; a command may print both. */
export function credentialSource(env: Env, ofProfile: string | null): CredentialSource | null {
  return (env.FLEET_USERNAME ? passwordSource(env) : null) ?? commandSource(env, ofProfile);
}

/** Returns the password source of the environment, else null. */
export function passwordSource({ FLEET_PASSWORD, FLEET_PASSWORD_FILE }: Env): CredentialSource | null {
  if (FLEET_PASSWORD) return { kind: 'password', password: FLEET_PASSWORD };
  return FLEET_PASSWORD_FILE ? { kind: 'file', path: FLEET_PASSWORD_FILE } : null;
}

export function commandSource({ FLEET_CREDENTIAL_COMMAND }: Env, ofProfile: string | null): CredentialSource | null {
  if (FLEET_CREDENTIAL_COMMAND) return { kind: 'command', command: FLEET_CREDENTIAL_COMMAND, isOfProfile: false };
  return ofProfile ? { kind: 'command', command: ofProfile, isOfProfile: true } : null;
}

/** Returns a text with the variables or the setting, for people. */
export function sourceText(source: CredentialSource): string {
  if (source.kind === 'password') return 'FLEET_USERNAME and FLEET_PASSWORD';
  if (source.kind === 'file') return 'FLEET_USERNAME and FLEET_PASSWORD_FILE';
  return source.isOfProfile ? 'credential-command of the profile' : 'FLEET_CREDENTIAL_COMMAND';
}

/** Returns the key of the session. A command without a user name has its own key. */
export function loginKeyOf(username: string | null, source: CredentialSource | null): string | null {
  return username ?? (source?.kind === 'command' ? `credential-command ${hashedName(source.command)}` : null);
}
