// Warns about trips or stops that cross the bounds of the requested days: their sums do not add up.
import type { Trip } from '../../../index.js';
import { type Context, serviceNow } from '../../context/context.js';
import type { PeriodSpan } from '../../parse/time.js';

interface BeyondPeriod {
  /** Call it for each trip that is shown. */
  readonly take: (trip: Pick<Trip, 'startedAt' | 'isOpen'>) => void;
  readonly warn: () => void;
}

export function beyondPeriod(
  context: Context,
  { from, to, isOfDays }: PeriodSpan,
  noun: 'trip' | 'stop',
): BeyondPeriod {
  const isOver = to < serviceNow(context);
  let count = 0;
  return {
    take({ startedAt, isOpen }) {
      if (Date.parse(startedAt) < from || (isOpen && isOver)) count++;
    },
    warn() {
      if (count === 0 || !isOfDays) return;
      const which = count === 1 ? `1 ${noun} goes` : `${count} ${noun}s go`;
      context.report.warn(
        `${which} beyond this period, and the neighbouring period counts ${count === 1 ? 'it' : 'them'} too. --clip lists only what lies inside.`,
      );
    },
  };
}
