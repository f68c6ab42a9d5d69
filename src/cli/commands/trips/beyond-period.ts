// Warns that some of the listed trips go beyond the days that were asked for, because the kilometres of such days do not add up.
import type { Trip } from '../../../index.js';
import { type Context, serviceNow } from '../../context/context.js';
import type { PeriodSpan } from '../../parse/time.js';

/** The trips as they are; a warning follows the last one when some of them go beyond the days. */
export async function* withWarning<Row extends Trip>(
  context: Context,
  trips: AsyncIterable<Row>,
  { from, to, isOfDays }: PeriodSpan,
): AsyncGenerator<Row, void, undefined> {
  const isOver = to < serviceNow(context);
  let count = 0;
  for await (const trip of trips) {
    if (Date.parse(trip.startedAt) < from || (trip.isOpen && isOver)) count++;
    yield trip;
  }
  if (count === 0 || !isOfDays) return;
  const which = count === 1 ? '1 trip goes' : `${count} trips go`;
  context.report.warn(
    `${which} beyond this period and would count again in the one beside it. --clip lists only what lies inside.`,
  );
}
