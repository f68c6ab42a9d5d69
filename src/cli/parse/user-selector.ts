// Parses `--user`: a user id, `fleet:<fleetId>`, or a name to look up among the users of the login.

type UserSelector =
  | { readonly by: 'userId'; readonly userId: string }
  | { readonly by: 'fleetId'; readonly fleetId: string }
  | { readonly by: 'name'; readonly name: string };

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function looksLikeId(text: string): boolean {
  return uuid.test(text);
}

/** Returns null for an empty text. */
export function parseUserSelector(text: string): UserSelector | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (looksLikeId(trimmed)) return { by: 'userId', userId: trimmed };
  const fleetId = /^fleet:(.*)$/s.exec(trimmed)?.[1]?.trim();
  if (fleetId !== undefined) return fleetId === '' ? null : { by: 'fleetId', fleetId };
  return { by: 'name', name: trimmed };
}
