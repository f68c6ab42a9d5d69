// Warns that some of the listed trips or stops go beyond the days that were asked for, because the
// sums of such days do not add up.
import type { Trip } from '../../../index.js';
import { type Context, serviceNow } from '../../context/context.js';
import type { PeriodSpan } from '../../parse/time.js';

export interface BeyondPeriod {
  /** Call it with each trip that is shown, or is a part of a sum. */
  readonly take: (trip: Pick<Trip, 'startedAt' | 'isOpen'>) => void;
  /** Warns when some of them go beyond the days. */
  readonly warn: () => void;
}

/**
 * `noun`: what is listed. `whose`: of what, where not all of that is shown. `clip`: how the command
 * counts only what lies inside.
 */
export function beyondPeriod(
  context: Context,
  { from, to, isOfDays }: PeriodSpan,
  { noun = 'trip', whose = '', clip = '--clip lists only what lies inside.' } = {},
): BeyondPeriod {
  const isOver = to < serviceNow(context);
  let count = 0;
  return {
    take({ startedAt, isOpen }) {
      if (Date.parse(startedAt) < from || (isOpen && isOver)) count++;
    },
    warn() {
      if (count === 0 || !isOfDays) return;
      const which = count === 1 ? `1 ${noun}${whose} goes` : `${count} ${noun}s${whose} go`;
      context.report.warn(`${which} beyond this period and would count again in the one beside it. ${clip}`);
    },
  };
}
