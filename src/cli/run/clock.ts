// Which time it is for one run of a command: that of the machine, or with --demo the one that --demo-time says.
import { CliError } from '../errors/cli-error.js';
import { parseTime, timeForms } from '../parse/time.js';
import { zoneOf } from '../parse/zone.js';
import type { Globals } from './global-flags.js';
import type { Clock, Io } from './io.js';

/**
 * A demo time stands still, so that a command prints the same on every run. Where nothing moves there is nothing to watch: under
 * --watch the clock runs from there. @throws CliError USAGE when the time is none, or is said without --demo.
 */
export function clockOf(io: Io, { demo, demoTime }: Globals, isWatching: boolean): Clock {
  const machine: Clock = io.clock ?? { now: () => Date.now() };
  if (demoTime === undefined) return machine;
  if (!demo) {
    throw new CliError('USAGE', '--demo-time sets the clock of --demo, which is missing. Nothing was sent.', {
      hint: 'Add --demo, or leave out --demo-time: the time of a real service cannot be set.',
    });
  }
  const begun = machine.now();
  const start = parseTime(demoTime, begun, zoneOf(io.env.TZ));
  if (start === null) {
    throw new CliError('USAGE', `--demo-time "${demoTime}" is no time. Nothing was sent.`, {
      hint: `Write it ${timeForms}.`,
    });
  }
  return { now: isWatching ? () => start + (machine.now() - begun) : () => start };
}
