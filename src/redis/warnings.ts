// Warnings of the gate and the store: what the user's function throws is ignored, because a hook must not break a call.
import type { WarningEvent } from '../core/hooks.js';

/** Never throws. */
export function quietly(onWarning: ((event: WarningEvent) => void) | undefined): (event: WarningEvent) => void {
  return (event) => {
    try {
      onWarning?.(event);
    } catch {
      // Nobody could do anything about it here.
    }
  };
}
