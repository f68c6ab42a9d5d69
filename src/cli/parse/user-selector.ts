// What `--user` can say: a user id, `fleet:<fleetId>`, or a name that has to be looked up among the users of the login.

export type UserSelector =
  | { readonly by: 'userId'; readonly userId: string }
  | { readonly by: 'fleetId'; readonly fleetId: string }
  | { readonly by: 'name'; readonly name: string };

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function looksLikeId(text: string): boolean {
  return uuid.test(text);
}

/** Null when nothing is said. */
export function parseUserSelector(text: string): UserSelector | null {
  const said = text.trim();
  if (said === '') return null;
  if (looksLikeId(said)) return { by: 'userId', userId: said };
  const fleetId = /^fleet:(.*)$/s.exec(said)?.[1]?.trim();
  if (fleetId !== undefined) return fleetId === '' ? null : { by: 'fleetId', fleetId };
  return { by: 'name', name: said };
}
