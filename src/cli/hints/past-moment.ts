// `vehicles status --at 08:00`: only some commands take a time in the past, and snapshots tell where a vehicle was.
import type { Command } from 'commander';

/** The answers for flags that depend on the words of the command. */
export const flagForms: Readonly<Record<string, typeof pastMomentHint>> = { '--at': pastMomentHint };

/** Null for a command that has nothing to do with positions. `words`: the names before the flag; `time`: what was typed with it. */
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
