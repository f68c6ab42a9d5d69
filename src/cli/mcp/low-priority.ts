// A client whose calls let others of the same user go first: a person waits for a command, and a model does not.
import { operations } from '../../generated/operation-table.js';
import type { FleetClient } from '../../index.js';

/** Streams have this priority without it. */
export function withLowPriority(client: FleetClient): FleetClient {
  return new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      // Where the options of a call stand among its arguments.
      const at = name === 'request' ? 2 : typeof name === 'string' && Object.hasOwn(operations, name) ? 1 : null;
      if (at === null) return member.bind(target);
      return (...given: unknown[]) => {
        const before = Array.from({ length: at }, (_, index) => given[index]);
        return member.apply(target, [...before, { priority: 'low', ...Object(given[at]) }]);
      };
    },
  });
}
