// A service whose answers a test changes before the client gets them.
import type { Fetch } from '../../../src/index.js';
import type { MockService } from '../../../src/mock/service.js';

/** Gets what the service answers to an operation, and returns what the client gets. */
export type Alter = (operation: string, value: unknown, variables: Readonly<Record<string, unknown>>) => unknown;

/** The variables are those of the operation for a client with `merge: false`. */
export function altered(service: MockService, alter: Alter): Fetch {
  return async (url, init) => {
    const response = await service.fetch(url, init);
    if (!url.endsWith('/graphql')) return response;
    const { data, ...rest } = Object(await response.json());
    const { query, variables } = Object(JSON.parse(init.body ?? '{}'));
    const aliases = new Map([...String(query).matchAll(/(\w+): (\w+)/g)].map(([, alias, name]) => [alias, name]));
    const changed = Object.entries(Object(data)).map(([name, value]) => [
      name,
      alter(aliases.get(name) ?? name, value, Object(variables)),
    ]);
    return Response.json({ ...rest, data: Object.fromEntries(changed) }, { status: response.status });
  };
}

/** The rows of a list with one more, or with other rows. */
export const rowsWith =
  (operation: string, change: (rows: readonly Record<string, unknown>[]) => unknown): Alter =>
  (name, value) =>
    name === operation && Array.isArray(value) ? change(value) : value;
