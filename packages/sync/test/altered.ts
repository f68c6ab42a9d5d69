// A service whose answers a test changes before the client gets them.
import type { Fetch } from '../../../src/index.js';
import type { MockService } from '../../../src/mock/service.js';

/** A function that changes the answer to an operation. */
export type Alter = (operation: string, value: unknown, variables: Readonly<Record<string, unknown>>) => unknown;

/** Returns a fetch with altered answers. The variables need a client with `merge: false`. */
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

export const rowsWith =
  (operation: string, change: (rows: readonly Record<string, unknown>[]) => unknown): Alter =>
  (name, value) =>
    name === operation && Array.isArray(value) ? change(value) : value;
