// The state of the page as its address fragment, which is never sent to a server.

export interface Link {
  readonly vehicle: string | null;
  /** `2026-03-01`, in the fleet's time zone. */
  readonly day: string | null;
  readonly at: number | null;
  readonly compared: string | null;
  readonly place: string | null;
}

export function readLink(hash: string): Link {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  const day = values.get('day') ?? '';
  const at = Date.parse(values.get('at') ?? '');
  const vehicle = values.get('vehicle') || null;
  return {
    vehicle,
    day: /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : null,
    at: Number.isNaN(at) ? null : at,
    compared: values.get('compared') || null,
    place: vehicle === null ? values.get('place') || null : null,
  };
}

/** Returns an empty text without a selection. */
export function writeLink({ vehicle, day, at, compared, place }: Link): string {
  const values = new URLSearchParams();
  if (vehicle !== null) values.set('vehicle', vehicle);
  if (day !== null) values.set('day', day);
  if (at !== null) values.set('at', new Date(at).toISOString().replace('.000Z', 'Z'));
  if (compared !== null) values.set('compared', compared);
  if (place !== null) values.set('place', place);
  const text = values.toString().replaceAll('%3A', ':');
  return text === '' ? '' : `#${text}`;
}

/** True when vehicle, place or day differ. A link without a day means `defaultDay`. */
export function isOtherChoice(before: Link, now: Link, defaultDay: string | null): boolean {
  if (before.vehicle !== now.vehicle || before.place !== now.place) return true;
  return now.vehicle !== null && (before.day ?? defaultDay) !== (now.day ?? defaultDay);
}
