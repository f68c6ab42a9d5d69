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

/** Returns the command that takes a time in the past; null for one that has no positions. */
function pastMomentHint(command: Command, words: readonly string[], time: string): string | null {
  if (!['vehicles', 'snapshots'].includes(command.parent?.name() ?? '')) return null;
  const [vehicle = 'Truck 07'] = words.filter(isPlain);
  return `Where a vehicle was then: \`fleet vehicles status "${vehicle}" --at "${isPlain(time) ? time : '08:00'}"\`.`;
}

/** A shell reads it as it stands here. */
function isPlain(word: string): boolean {
  return /^[\p{L}\p{N} .,:+_-]+$/u.test(word);
}
