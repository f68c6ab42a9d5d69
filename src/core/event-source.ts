import type { Random } from './ports.js';

/** The identity of a client; its `forUser()` and `fork()` clients have the same object. */
export interface ClientSource {
  /** True while `traceFleet` of `fleet-telematics/otel` traces these clients. */
  isTraced: boolean;
}

export interface EventSource {
  readonly source: ClientSource;
  readonly label: string;
  newId(): string;
}

/** Creates ids such as `k3j9x2m1p0-17`: letters that differ between clients, and a number. */
export function eventSource(label: string, random: Random): EventSource {
  let prefix = '';
  let last = 0;
  return {
    source: { isTraced: false },
    label,
    newId() {
      if (prefix === '') prefix = letters(random) + letters(random);
      last++;
      return `${prefix}-${last}`;
    },
  };
}

function letters(random: Random): string {
  return random().toString(36).slice(2, 8).padEnd(6, '0');
}
