// When the tests take place: a service that is made on this clock is the same world on every day and in every zone.

/** A Monday morning, when vehicles are under way. */
export const moment = '2026-03-02T09:30:00Z';

/** Stands still; a service's own clock is moved from here by hand. */
export const clock = { now: () => Date.parse(moment) };
