// The origin of the events of a client: its label, and ids that no other client uses.
import type { Random } from './ports.js';

/** Identifies a client among those of the process. Clients that `forUser()` and `fork()` make of it have the same object. */
export interface ClientSource {
  /** True while `traceFleet` of `fleet-telematics/otel` traces these clients. */
  isTraced: boolean;
}

export interface EventSource {
  readonly source: ClientSource;
  /** Tells the clients of a program apart. */
  readonly label: string;
  /** A new id for a call or a request. */
  newId(): string;
}

/** Ids such as `k3j9x2m1p0-17`: letters that differ from client to client, and a number. */
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
