// Reads the values of a snapshot whose form the contract does not show: flags such as the ignition may be booleans, words or numbers, and
// numbers may be text. This is the only place that knows these forms. What has another form is counted, so that nobody takes a value that
// could not be read for one that is not there.
import type { FactsOf } from '../core/error-facts.js';
import { compareForms, messageOf, unreadableText } from '../core/error-messages.js';
import { ProtocolError } from '../core/errors.js';
import type { Warning } from '../core/hooks.js';

const ON = new Set(['on', 'true', 'running', 'started', 'active', 'yes', 'valid', 'fix', '1']);
const OFF = new Set(['off', 'false', 'stopped', 'inactive', 'no', 'invalid', 'nofix', 'no_fix', '0']);
/** Words that services send in place of null. */
const MISSING = new Set(['', 'unknown', 'null', 'none', 'n/a', '-']);

/** On or off; null when there is no value, undefined when it cannot be read. */
export function readFlag(value: unknown): boolean | null | undefined {
  if (typeof value === 'boolean') return value;
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const word = String(value).trim().toLowerCase();
  if (ON.has(word)) return true;
  if (OFF.has(word)) return false;
  return MISSING.has(word) ? null : undefined;
}

/** A finite number; null when there is no value, undefined when it cannot be read. */
export function readNumber(value: unknown): number | null | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (MISSING.has(text.toLowerCase())) return null;
  const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** Text, such as an id that is a number in some services; null when there is none. */
export function readText(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' ? String(value) : null;
}

/** What some devices send in place of no driver. */
const NOBODY = '0';

/** The id of whom a snapshot identifies; null for nobody. */
export function identifiedDriver(driver: { readonly driverId?: unknown } | null | undefined): string | null {
  const id = driver ? readText(driver.driverId) : null;
  return id === NOBODY ? null : id;
}

/** What a feature reads from snapshots, as messages name it, and where it is. */
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

/** Reads values, and knows which of them it could not read. */
export class Readings {
  readonly #counts = new Map<Reading, Count>();

  flag(what: Reading, value: unknown): boolean | null {
    return this.#counted(what, readFlag(value));
  }

  number(what: Reading, value: unknown): number | null {
    return this.#counted(what, readNumber(value));
  }

  /** Throws when there were values of this kind, and none of them could be read: a result without them would be wrong. */
  require(what: Reading, operation: string | null): void {
    const count = this.#counts.get(what);
    if (count === undefined || count.read > 0 || count.unreadable === 0) return;
    const facts = { kind: 'unreadable', ...factsOf(what, count) } as const;
    throw new ProtocolError(messageOf(facts, { operation }), { operation, facts });
  }

  /** A warning for each kind of value that could not always be read. */
  warnings(): readonly Pick<Warning, 'code' | 'message'>[] {
    return [...this.#counts].flatMap(([what, count]) =>
      count.unreadable === 0
        ? []
        : {
            code: 'UNREADABLE_VALUES' as const,
            message: `${unreadableText(factsOf(what, count))} They count as missing. ${compareForms}`,
          },
    );
  }

  #counted<Value>(what: Reading, value: Value | null | undefined): Value | null {
    if (value === null) return null;
    const count = this.#counts.get(what) ?? { read: 0, unreadable: 0 };
    this.#counts.set(what, count);
    if (value === undefined) {
      count.unreadable++;
      return null;
    }
    count.read++;
    return value;
  }
}

function factsOf(what: Reading, { unreadable: snapshots }: Count): Omit<FactsOf<'unreadable'>, 'kind'> {
  return { values: what, member: sources[what], snapshots };
}
