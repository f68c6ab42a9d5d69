// Where the credentials of a login come from when nobody types them. This names the source only: connection/read-credentials reads it, when
// a login needs it.
import { hashedName } from '../../core/hashed-name.js';

export type CredentialSource =
  | {
      readonly kind: 'password';
      /** Never to be printed. */
      readonly password: string;
    }
  | { readonly kind: 'file'; readonly path: string }
  | {
      readonly kind: 'command';
      /** May hold a secret among its arguments: never to be printed. */
      readonly command: string;
      readonly isOfProfile: boolean;
    };

type Env = Readonly<Record<string, string | undefined>>;

/** A password belongs to the user name beside it. A command may tell both. `ofProfile`: the command that the profile names. */
export function credentialSource(env: Env, ofProfile: string | null): CredentialSource | null {
  return (env.FLEET_USERNAME ? passwordSource(env) : null) ?? commandSource(env, ofProfile);
}

/** The password that the environment gives, as such or in a file. */
export function passwordSource({ FLEET_PASSWORD, FLEET_PASSWORD_FILE }: Env): CredentialSource | null {
  if (FLEET_PASSWORD) return { kind: 'password', password: FLEET_PASSWORD };
  return FLEET_PASSWORD_FILE ? { kind: 'file', path: FLEET_PASSWORD_FILE } : null;
}

export function commandSource({ FLEET_CREDENTIAL_COMMAND }: Env, ofProfile: string | null): CredentialSource | null {
  if (FLEET_CREDENTIAL_COMMAND) return { kind: 'command', command: FLEET_CREDENTIAL_COMMAND, isOfProfile: false };
  return ofProfile ? { kind: 'command', command: ofProfile, isOfProfile: true } : null;
}

/** For people: the variables or the setting that give the credentials. */
export function sourceText(source: CredentialSource): string {
  if (source.kind === 'password') return 'FLEET_USERNAME and FLEET_PASSWORD';
  if (source.kind === 'file') return 'FLEET_USERNAME and FLEET_PASSWORD_FILE';
  return source.isOfProfile ? 'credential-command of the profile' : 'FLEET_CREDENTIAL_COMMAND';
}

/** What the session is stored under while only the command knows the user name: another command gets another session. */
export function loginKeyOf(username: string | null, source: CredentialSource | null): string | null {
  return username ?? (source?.kind === 'command' ? `credential-command ${hashedName(source.command)}` : null);
}
