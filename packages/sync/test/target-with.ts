// A target with functions that a test replaces.
import type { SyncTarget } from '../src/index.js';
import type { OpenTarget } from '../src/target.js';

/** `replaced` gets the open copy and returns the functions that replace its own. */
export function targetWith(target: SyncTarget, replaced: (open: OpenTarget) => Partial<OpenTarget>): SyncTarget {
  return {
    ...target,
    async open() {
      const open = await target.open();
      return {
        cursors: () => open.cursors(),
        read: (...of) => open.read(...of),
        apply: (batch) => open.apply(batch),
        close: () => open.close(),
        ...replaced(open),
      };
    },
  };
}
