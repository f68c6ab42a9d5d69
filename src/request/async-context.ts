// Compares the async contexts in which calls were made. Node has no public API for it, but each
// AsyncResource holds its context. Node 20 and 22 have one member for each AsyncLocalStorage, Node
// 24 has one for all.
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';

const IDS: readonly (string | undefined)[] = ['async_id_symbol', 'trigger_async_id_symbol'];

let isVisible: boolean | null = null;

/** True when both have equal values in every AsyncLocalStorage; false when it cannot be seen. */
export function isSameContext(one: AsyncResource, other: AsyncResource): boolean {
  isVisible ??= showsContexts();
  return isVisible && haveSameStores(one, other);
}

function haveSameStores(one: AsyncResource, other: AsyncResource): boolean {
  const members = new Set([...Object.getOwnPropertySymbols(one), ...Object.getOwnPropertySymbols(other)]);
  return [...members].every(
    (member) => IDS.includes(member.description) || Object.is(Reflect.get(one, member), Reflect.get(other, member)),
  );
}

function showsContexts(): boolean {
  const storage = new AsyncLocalStorage<number>();
  const resource = () => new AsyncResource('FleetCall');
  const shows = !haveSameStores(storage.run(1, resource), storage.run(2, resource));
  storage.disable();
  return shows;
}
