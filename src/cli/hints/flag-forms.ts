// The answers for flags that a command does not have, where another command or another form does what they ask for.
import type { Command } from 'commander';

type FlagForm = (command: Command, words: readonly string[], typed: string) => string | null;

/**
 * The hints by flag. `words`: the arguments before it; `typed`: the value behind it.
 * Null for a command that the hint does not fit.
 */
export const flagForms: Readonly<Record<string, FlagForm>> = {
  '--at': pastMomentHint,
  '--driver': driverHint,
  '--vehicle': vehicleHint,
};

/** The status knows who drives a vehicle; the list has ids of drivers only. */
function driverHint(command: Command, _words: readonly string[], name: string): string | null {
  if (command.parent?.name() !== 'vehicles') return null;
  return `Who drives each vehicle: \`fleet vehicles status --filter "driver~${isPlain(name) ? name : '…'}"\`.`;
}

/** Vehicles are arguments of most commands. */
function vehicleHint(command: Command, _words: readonly string[], name: string): string | null {
  const noun = command.parent?.name() ?? '';
  const takesVehicles = command.registeredArguments.some((argument) => argument.name() === 'vehicle');
  const verb = takesVehicles ? command.name() : noun === 'vehicles' ? 'get' : null;
  if (verb === null) return null;
  return `Vehicles are named without a flag: \`fleet ${noun} ${verb} "${isPlain(name) ? name : '…'}"\`.`;
}

/** `vehicles status --at 08:00`: only some commands take a time in the past. Null for a command that has nothing to do with positions. `words`: the names before the flag; `time`: what was typed with it. */
function pastMomentHint(command: Command, words: readonly string[], time: string): string | null {
  if (!['vehicles', 'snapshots'].includes(command.parent?.name() ?? '')) return null;
  const [vehicle = 'Truck 07'] = words.filter(isPlain);
  return `Where a vehicle was then: \`fleet snapshots list "${vehicle}" ${minuteFlags(time)}\`. All vehicles around a place: \`fleet vehicles near <geofence> --at "${isPlain(time) ? time : '08:00'}"\`.`;
}

/** The minute that begins at a time of day; of another time the first snapshot after it. */
function minuteFlags(time: string): string {
  const [, day = '', hours = '08', minutes = '00'] = /^(.*? )?(\d{1,2}):(\d{2})$/.exec(time.trim()) ?? [];
  const isClock = /:\d{2}$/.test(time.trim());
  if (!isClock && isPlain(time)) return `--from "${time}" --limit 1`;
  if (Number(minutes) > 58) return `--from "${day || 'today '}${hours}:${minutes}" --limit 1`;
  const next = String(Number(minutes) + 1).padStart(2, '0');
  return `--from "${day || 'today '}${hours}:${minutes}" --to "${day || 'today '}${hours}:${next}"`;
}

/** A shell reads it as it stands here. */
function isPlain(word: string): boolean {
  return /^[\p{L}\p{N} .,:+_-]+$/u.test(word);
}
