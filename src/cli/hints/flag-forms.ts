// Hints for unknown flags when another command or another form does the same.
import type { Command } from 'commander';

type FlagForm = (command: Command, words: readonly string[], typed: string) => string | null;

/** Hints by flag, from the words before it and the value after it; null when none fits. */
export const flagForms: Readonly<Record<string, FlagForm>> = {
  '--at': pastMomentHint,
  '--driver': driverHint,
  '--vehicle': vehicleHint,
};

/** The status has the driver of each vehicle; the list has only driver ids. */
function driverHint(command: Command, _words: readonly string[], name: string): string | null {
  if (command.parent?.name() !== 'vehicles') return null;
  return `Who drives each vehicle: \`fleet vehicles status --filter "driver~${isPlain(name) ? name : '…'}"\`.`;
}

function vehicleHint(command: Command, _words: readonly string[], name: string): string | null {
  const noun = command.parent?.name() ?? '';
  const takesVehicles = command.registeredArguments.some((argument) => argument.name() === 'vehicle');
  const verb = takesVehicles ? command.name() : noun === 'vehicles' ? 'get' : null;
  if (verb === null) return null;
  return `Vehicles are named without a flag: \`fleet ${noun} ${verb} "${isPlain(name) ? name : '…'}"\`.`;
}

/** Returns the command that takes a time in the past; null for a command without positions. */
function pastMomentHint(command: Command, words: readonly string[], time: string): string | null {
  if (!['vehicles', 'snapshots'].includes(command.parent?.name() ?? '')) return null;
  const [vehicle = 'Truck 07'] = words.filter(isPlain);
  return `Where a vehicle was then: \`fleet vehicles status "${vehicle}" --at "${isPlain(time) ? time : '08:00'}"\`.`;
}

function isPlain(word: string): boolean {
  return /^[\p{L}\p{N} .,:+_-]+$/u.test(word);
}
