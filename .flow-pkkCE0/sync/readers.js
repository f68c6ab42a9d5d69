import { idOf, isDeleted } from "./compare-records.js";
async function readersOf(fleet, others, signal) {
  const asked = others.map(async (own) => {
    const vehicles = await own.getVehicles({}, { select: { id: true, isDeleted: true }, priority: "low", signal });
    const ids = vehicles.flatMap((vehicle) => isDeleted(vehicle) ? [] : idOf(vehicle)?.toLowerCase() ?? []);
    return { fleet: own, sees: new Set(ids) };
  });
  return [{ fleet, sees: null }, ...await Promise.all(asked)];
}
function sharesOf(vehicles, readers) {
  const shares = readers.map(({ fleet, sees }) => ({ fleet, sees, vehicles: [] }));
  const seenBy = ({ vehicleId }) => shares.filter(({ sees }) => sees === null || sees.has(vehicleId.toLowerCase()));
  const given = vehicles.map((vehicle) => ({ vehicle, candidates: seenBy(vehicle) }));
  for (const { vehicle, candidates } of given.toSorted((one, other) => one.candidates.length - other.candidates.length))
    candidates.reduce((one, other) => other.vehicles.length < one.vehicles.length ? other : one).vehicles.push(vehicle);
  return shares.filter((share) => share.vehicles.length > 0);
}
async function sideBySide(shares, signal, read) {
  const [only, ...more] = shares;
  if (only !== void 0 && more.length === 0) return read(only, signal);
  const failed = new AbortController();
  const own = signal === void 0 ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const errors = [];
  const reading = shares.map(async (share) => {
    try {
      await read(share, own);
    } catch (error) {
      errors.push(error);
      failed.abort();
    }
  });
  await Promise.all(reading);
  if (errors.length > 0) throw errors[0];
}
export {
  readersOf,
  sharesOf,
  sideBySide
};
