import type { MockService, ServiceSnapshot } from '../src/mock/service.js';

/** Returns a copy of the records of a fleet. Throws when the service has no fleet of this name. */
export function recordsOf(
  service: Pick<MockService, 'snapshot'>,
  fleetName = 'Demo Fleet',
): ServiceSnapshot['fleets'][string] {
  const records = service.snapshot().fleets[fleetName];
  if (records === undefined) throw new Error(`The service has no fleet called ${fleetName}.`);
  return records;
}
