// Reads values of a snapshot whose form the contract leaves open. This is the only place that knows
// these forms. Flags may be booleans, words or numbers, and numbers may be text. Other forms are
// counted as unreadable, to distinguish them from missing values.
import type { FactsOf } from '../core/error-facts.js';
import { errorOf, schemaCheckHint, unreadableText } from '../core/error-messages.js';
import { ProtocolError } from '../core/errors.js';
import type { Warning } from '../core/hooks.js';

const ON = new Set(['on', 'true', 'running', 'started', 'active', 'yes', 'valid', 'fix', '1']);
const OFF = new Set(['off', 'false', 'stopped', 'inactive', 'no', 'invalid', 'nofix', 'no_fix', '0']);
/** Words that services send instead of null. */
const MISSING = new Set(['', 'unknown', 'null', 'none', 'n/a', '-']);

/** Returns true for on; null for a missing value, undefined for an unreadable one. */
export function readFlag(value: unknown): boolean | null | undefined {
  if (typeof value === 'boolean') return value;
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const word = String(value).trim().toLowerCase();
  if (ON.has(word)) return true;
  if (OFF.has(word)) return false;
  return MISSING.has(word) ? null : undefined;
}

/** Returns a finite number; null for a missing value, undefined for an unreadable one. */
export function readNumber(value: unknown): number | null | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (MISSING.has(text.toLowerCase())) return null;
  const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** Returns text; null when missing. Ids are numbers in some services. */
export function readText(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' ? String(value) : null;
}

/** Sent by some devices when there is no driver. */
const NO_DRIVER = '0';

/** Returns the id of the driver that a snapshot identifies, or null. */
export function identifiedDriver(driver: { readonly driverId?: unknown } | null | undefined): string | null {
  const id = driver ? readText(driver.driverId) : null;
  return id === NO_DRIVER ? null : id;
}

/** The name of each reading in messages, and its field. */
const sources = {
  ignition: 'ignition.engineStatus',
  fix: 'gps.state',
  position: 'gps.latitude and gps.longitude',
  speed: 'gps.speed',
  direction: 'gps.direction',
  altitude: 'gps.altitude',
} as const;

export type Reading = keyof typeof sources;

interface Count {
  read: number;
  unreadable: number;
}

export class Readings {
  readonly #counts = new Map<Reading, Count>();

  flag(reading: Reading, value: unknown): boolean | null {
    return this.#counted(reading, readFlag(value));
  }

  number(reading: Reading, value: unknown): number | null {
    return this.#counted(reading, readNumber(value));
  }

  /** Throws when all values of this kind were unreadable: a result without them would be wrong. */
  require(reading: Reading, operation: string | null): void {
    const count = this.#counts.get(reading);
    if (count === undefined || count.read > 0 || count.unreadable === 0) return;
    throw errorOf(ProtocolError, { kind: 'unreadable', ...factsOf(reading, count) }, { operation });
  }

  warnings(): readonly Pick<Warning, 'code' | 'message'>[] {
    return [...this.#counts].flatMap(([reading, count]) =>
      count.unreadable === 0
        ? []
        : {
            code: 'UNREADABLE_VALUES' as const,
            message: `${unreadableText(factsOf(reading, count))} They count as missing. ${schemaCheckHint}`,
          },
    );
  }

  #counted<Value>(reading: Reading, value: Value | null | undefined): Value | null {
    if (value === null) return null;
    const count = this.#counts.get(reading) ?? { read: 0, unreadable: 0 };
    this.#counts.set(reading, count);
    if (value === undefined) {
      count.unreadable++;
      return null;
    }
    count.read++;
    return value;
  }
}

function factsOf(reading: Reading, { unreadable: snapshots }: Count): Omit<FactsOf<'unreadable'>, 'kind'> {
  return { values: reading, member: sources[reading], snapshots };
}
