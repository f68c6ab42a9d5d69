// Past positions of vehicles, for `vehicles status --at` and `vehicles near --at`.
import type { FleetClient } from '../../../index.js';
import { LONGEST_LOOK_BACK_DAYS } from '../../../telemetry/visits/past-positions.js';
import type { PastPositions } from '../../connection/past-positions.js';
import type { Context, ServiceRun } from '../../context/context.js';
import { refusal } from '../../errors/cli-error.js';
import type { ChosenVehicle } from '../../find/vehicles.js';
import { readTime, type TimeExpression } from '../../parse/time.js';
import { namesText } from '../../views/humanize.js';

/** Reads --at. Refuses a whole day, because its first moment is rarely intended. */
export function pastTime(run: ServiceRun, text: string): TimeExpression {
  const time = readTime(run, text, '--at');
  if (time.lastMoment === null) return time;
  throw refusal(`--at "${text}" is a period, not a point in time.`, {
    hint: 'Give a day with a time, such as --at "yesterday 09:00", or a distance, such as --at -2h.',
  });
}

/** Reads the last positions before `moment`, and warns about vehicles without one. */
export async function positionsAt(
  context: Context,
  client: FleetClient,
  vehicles: readonly ChosenVehicle[],
  moment: number,
): Promise<PastPositions> {
  const { readPastPositions } = await import('../../connection/past-positions.js');
  const found = await readPastPositions(context, client, vehicles, moment);
  if (found.unknown.length > 0) {
    const names = namesText(found.unknown.map(({ name }) => name));
    context.report.warn(
      `The position at that time is unknown for ${names}: none in the ${LONGEST_LOOK_BACK_DAYS} days before.`,
    );
  }
  return found;
}
