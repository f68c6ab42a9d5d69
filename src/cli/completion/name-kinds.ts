// Says which arguments and flags take the name of a record, by their placeholders: `<vehicle>`, `[group...]`.

const kindOfPlaceholder = {
  vehicle: 'vehicle',
  type: 'type',
  label: 'label',
  person: 'person',
  driver: 'driver',
  token: 'token',
  group: 'group',
  geofence: 'geofence',
  place: 'geofence',
  role: 'role',
  rule: 'rule',
  schedule: 'schedule',
  report: 'report',
  user: 'user',
} as const;

export type NameKind = (typeof kindOfPlaceholder)[keyof typeof kindOfPlaceholder];

/** Null when the placeholder is for something else. */
export function nameKindOf(placeholder: string): NameKind | null {
  const isKnown = (name: string): name is keyof typeof kindOfPlaceholder => Object.hasOwn(kindOfPlaceholder, name);
  return isKnown(placeholder) ? kindOfPlaceholder[placeholder] : null;
}

/** The placeholder of `--vehicle <vehicle>`. */
export function placeholderOf(flags: string): string {
  return /[<[]([a-z-]+)/.exec(flags)?.[1] ?? '';
}
