// Requests that the service holds until the test releases them, so that no result depends on how long anything takes.
import type { FaultRule, MockService } from '../src/mock/service.js';
import { until } from './until.js';

/** A delay that outlasts every test. `service.faults.clear()` answers the request, `service.reset()` breaks it off. */
export const held = { kind: 'delay', ms: 3_600_000 } as const satisfies FaultRule;

/** Resolves when every planned fault has met its request. */
export function untilHeld({ faults }: Pick<MockService, 'faults'>): Promise<void> {
  return until(() => faults.list().length === 0);
}
