// The time of the tests: a service with this clock has equal data on every day and in every zone.

/** A Monday morning, when vehicles drive. */
export const moment = '2026-03-02T09:30:00Z';

/** A stopped clock; tests advance a service's own clock. */
export const clock = { now: () => Date.parse(moment) };
