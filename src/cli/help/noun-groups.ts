// Groups of nouns in `fleet --help`. Every noun is in exactly one group; a test checks it.

export const nounGroups: Readonly<Record<string, readonly string[]>> = {
  Everyday: ['today', 'vehicles', 'map', 'snapshots', 'trips', 'stops', 'drivers', 'people', 'reports', 'watch'],
  Changes: ['groups', 'geofences', 'tokens', 'history', 'undo'],
  'Reference data': ['devices', 'labels', 'roles', 'rules', 'schedules', 'sensors'],
  Login: ['login', 'logout', 'status', 'users', 'profiles'],
  Tools: ['doctor', 'sync', 'mcp', 'api', 'schema', 'mock', 'completion'],
};

/** Groups that the short help shows in one line. */
export const groupsInOneLine: Readonly<Record<string, string>> = {
  'Reference data': 'look them up',
};

export function groupOf(noun: string): string | null {
  return Object.entries(nounGroups).find(([, nouns]) => nouns.includes(noun))?.[0] ?? null;
}
