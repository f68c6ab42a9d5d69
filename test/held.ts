// Requests that the service holds until the test releases them, so that no result needs timing.
import type { FaultRule, MockService } from '../src/mock/service.js';
import { until } from './until.js';

/**
 * A delay longer than every test. `service.faults.clear()` answers, `service.reset()` breaks off.
 */
export const held = { kind: 'delay', ms: 3_600_000 } as const satisfies FaultRule;

/** Resolves when every planned fault has met its request. */
export function untilHeld({ faults }: Pick<MockService, 'faults'>): Promise<void> {
  return until(() => faults.list().length === 0);
}
