// Reads the records of the reference service by name, without ids of restored records, versions and
// times. Assignments of one pair without a gap are combined.
import { isObject } from '../../src/core/json.js';

type Row = Readonly<Record<string, unknown>>;

/** Returns one line for each record. `without`: tables and members such as `geofences.groupIds`. */
export function storeOf(snapshot: unknown, without: readonly string[] = []): readonly string[] {
  const fleets: readonly unknown[] = Object.values(Object(Object(snapshot).fleets));
  return fleets.filter(isObject).flatMap((fleet) => {
    const names = new Map<unknown, string>();
    for (const rows of Object.values(fleet)) {
      if (!Array.isArray(rows)) continue;
      for (const row of rows.filter(isObject)) if (row.id) names.set(row.id, nameOf(row));
    }
    const named = (value: unknown): unknown => {
      if (typeof value === 'string') return names.get(value) ?? value;
      if (Array.isArray(value))
        return value.every((one) => typeof one === 'string') ? value.map(named).sort() : value.map(named);
      if (!isObject(value)) return value;
      return Object.fromEntries(
        Object.entries(value)
          .filter(
            ([name]) => !['version', 'createdAt', 'updatedAt', 'globalUserId', 'lastScanTimestamp'].includes(name),
          )
          .map(([name, member]) => [name, named(member)] as const)
          .sort(([one], [other]) => (one < other ? -1 : 1)),
      );
    };
    return Object.entries(fleet).flatMap(([name, rows]) => {
      if (without.includes(name) || !Array.isArray(rows)) return [];
      const leftOut = (row: unknown) =>
        isObject(row)
          ? Object.fromEntries(Object.entries(row).filter(([key]) => !without.includes(`${name}.${key}`)))
          : row;
      return (name === 'assignments' ? joined(rows) : rows)
        .map((row) => `${name}: ${JSON.stringify(named(leftOut(row)))}`)
        .sort();
    });
  });
}

function nameOf(row: Row): string {
  return String(row.name ?? ([row.firstName, row.lastName].filter((part) => part).join(' ') || row.id));
}

function joined(rows: readonly Row[]): readonly Row[] {
  const all: Row[] = [];
  for (const row of [...rows].sort((a, b) => Number(a.startedAt) - Number(b.startedAt))) {
    const last = all.findIndex(
      (one) => one.vehicleId === row.vehicleId && one.driverId === row.driverId && one.endedAt === row.startedAt,
    );
    const { id: _id, ...rest } = row;
    if (last < 0) all.push(rest);
    else all[last] = { ...all[last], endedAt: row.endedAt };
  }
  return all;
}
