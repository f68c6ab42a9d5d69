// Chooses the clock of one run: the machine's, or with --demo the time of --demo-time.

import type { Clock } from '../../core/ports.js';
import type { GlobalFlags } from '../context/context.js';
import { refusal } from '../errors/cli-error.js';
import type { Io } from '../io/io.js';
import { parseTime, timeForms } from '../parse/time.js';
import type { ChosenZone } from '../time/chosen-zone.js';

/**
 * Returns the clock. A demo time does not advance, so that each run prints the same text.
 * @throws CliError USAGE for an invalid time, or when --demo is missing
 */
export function clockOf(io: Io, { demo, demoTime }: GlobalFlags, zone: ChosenZone): Clock {
  const machine: Clock = io.clock ?? { now: () => Date.now() };
  if (demoTime === undefined) return machine;
  if (!demo) {
    throw refusal('--demo-time needs --demo.', {
      hint: 'Add --demo, or leave out --demo-time: the clock of a real service cannot be set.',
    });
  }
  const time = parseTime(demoTime, machine.now(), zone.name);
  if (time === null) {
    throw refusal(`--demo-time "${demoTime}" is not a time.`, {
      hint: `Write it ${timeForms}.`,
    });
  }
  return { now: () => time };
}
