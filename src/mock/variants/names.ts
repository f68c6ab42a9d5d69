// All variants by their names in `fleet mock --variant`, with the line for help and docs.
import type { MockVariant } from './variant.js';

export interface NamedVariant {
  readonly variant: MockVariant;
  readonly about: string;
}

export const namedVariants = {
  'refresh-rotates': {
    variant: { refreshTokens: 'rotate' },
    about: 'a refresh answers with a new refresh token and spends the old one',
  },
  'refresh-rotates-with-grace': {
    variant: { refreshTokens: { rotateWithGraceMs: 30_000 } },
    about: 'a refresh answers with a new refresh token, and the old one stays valid for 30 s',
  },
  'rows-descending': { variant: { rows: 'descending' }, about: 'snapshots of a period come newest first' },
  'rows-shuffled': { variant: { rows: 'shuffled' }, about: 'snapshots of a period come in no order' },
  'rows-late': {
    variant: { lateRowsMs: 600_000 },
    about: 'every third snapshot is in no answer until 10 min after its timestamp',
  },
  'flags-upper': { variant: { flags: 'ON/OFF' }, about: 'engineStatus and gps.state are ON or OFF' },
  'flags-lower': { variant: { flags: 'on/off' }, about: 'engineStatus and gps.state are on or off' },
  'flags-words': { variant: { flags: 'running/stopped' }, about: 'engineStatus is running or stopped' },
  'flags-number': { variant: { flags: '1/0' }, about: 'engineStatus and gps.state are 1 or 0' },
  'gps-text': { variant: { gpsNumbers: 'text' }, about: 'the numbers of gps are text' },
  'times-offset': { variant: { times: 'offset' }, about: 'times have the offset +05:30 instead of Z' },
  'times-epoch': { variant: { times: 'epoch' }, about: 'times are epoch milliseconds' },
  jwt: { variant: { accessTokens: 'jwt' }, about: 'access tokens are JWTs with exp, and come without expires_in' },
  'refusals-forbidden': { variant: { refusals: 'forbidden' }, about: 'an access token is refused with 403' },
  'refusals-graphql': {
    variant: { refusals: 'graphql' },
    about: 'an access token is refused with 200 and the GraphQL error UNAUTHENTICATED',
  },
  'deleted-kept': {
    variant: { deleted: 'kept' },
    about: 'deleted geofences, people and assignments stay in lists and look-ups, with isDeleted true',
  },
  'introspection-off': { variant: { introspection: 'off' }, about: 'the service does not describe its schema' },
  'longest-period': {
    variant: { longestPeriod: { days: 7, refusedAs: 'error' } },
    about: 'getSnapshots refuses more than 7 days with a GraphQL error',
  },
  'longest-period-400': {
    variant: { longestPeriod: { days: 1, refusedAs: 'status' } },
    about: 'getSnapshots refuses more than 1 day with status 400',
  },
  'not-found-error': {
    variant: { notFound: 'error' },
    about: 'reading an id that does not exist is an error, not null',
  },
  'nullability-strict': {
    variant: { nullability: 'strict' },
    about: 'ids, versions, times, lists and what new records need are declared non-null',
  },
  'inputs-lenient': {
    variant: { inputs: 'lenient' },
    about: 'unknown members of guessed inputs are ignored and shown in the journal',
  },
  'inputs-renamed': {
    variant: { inputs: 'renamed' },
    about: 'assumed input members have other names, and those of this project are unknown',
  },
  'inputs-renamed-lenient': {
    variant: { inputs: 'renamed-lenient' },
    about: 'assumed input members have other names; unknown ones are ignored and shown in the journal',
  },
  'turns-linger': { variant: { lingerMs: 100 }, about: 'a user stays active for 100 ms after a response' },
  'gateway-pages': { variant: { gatewayErrors: 'html' }, about: 'error statuses come with the html page of a gateway' },
  'idle-closed': {
    variant: { idleConnectionMs: 20 },
    about: 'over HTTP, connections that were idle for 20 ms are closed without notice',
  },
  'login-forms-any': { variant: { loginForms: 'any' }, about: 'login forms may be URL-encoded' },
  'userinfo-contract': { variant: { userInfo: 'contract' }, about: 'the entries of userinfo have no fleetId' },
  'turns-by-login': {
    variant: { turns: 'by-login' },
    about: '429 is counted by login, not by user',
  },
} as const satisfies Readonly<Record<string, NamedVariant>>;

export type VariantName = keyof typeof namedVariants;

const byName = new Map<string, NamedVariant>(Object.entries(namedVariants));

/** All names in the order of the docs. */
export const variantNames: readonly string[] = [...byName.keys()];

export const variantAbout = (name: string): string => byName.get(name)?.about ?? '';

/** Combines variants. Throws a TypeError for unknown names and for two that set the same member. */
export function variantOf(names: readonly string[]): MockVariant {
  const combined: Record<string, unknown> = {};
  const setBy = new Map<string, string>();
  for (const name of new Set(names)) {
    const named = byName.get(name);
    if (named === undefined) throw new TypeError(`there is no variant ${JSON.stringify(name.slice(0, 80))}`);
    for (const [member, value] of Object.entries(named.variant)) {
      const other = setBy.get(member);
      if (other !== undefined) throw new TypeError(`${other} and ${name} exclude each other`);
      setBy.set(member, name);
      combined[member] = value;
    }
  }
  return combined as MockVariant;
}
