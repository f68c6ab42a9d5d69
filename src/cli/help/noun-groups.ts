// Says under which heading of `fleet --help` each noun stands. Every noun is in exactly one group; a test checks it.

export const nounGroups: Readonly<Record<string, readonly string[]>> = {
  Everyday: ['vehicles', 'map', 'snapshots', 'trips', 'drivers', 'people', 'reports'],
  Changes: ['groups', 'geofences', 'tokens'],
  'Reference data': ['devices', 'labels', 'roles', 'rules', 'schedules', 'sensors'],
  Login: ['login', 'logout', 'status', 'users', 'profiles'],
  Tools: ['doctor', 'sync', 'api', 'schema', 'mock', 'completion'],
};

/** The heading of a noun; null when it has none. */
export function groupOf(noun: string): string | null {
  return Object.entries(nounGroups).find(([, nouns]) => nouns.includes(noun))?.[0] ?? null;
}
