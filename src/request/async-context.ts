// Compares the async contexts in which calls were made. Node has no public way to do it, but each AsyncResource holds its context: one
// member for each AsyncLocalStorage in Node 20 and 22, one for all in Node 24.
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';

/** Members that differ between all resources. */
const IDS: readonly (string | undefined)[] = ['async_id_symbol', 'trigger_async_id_symbol'];

let isVisible: boolean | null = null;

/** Returns true where both were made with the same value in every AsyncLocalStorage; false where the runtime does not show it. */
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
