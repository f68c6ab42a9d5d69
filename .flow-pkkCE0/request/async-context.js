import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
const IDS = ["async_id_symbol", "trigger_async_id_symbol"];
let isVisible = null;
function isSameContext(one, other) {
  isVisible ??= showsContexts();
  return isVisible && haveSameStores(one, other);
}
function haveSameStores(one, other) {
  const members = /* @__PURE__ */ new Set([...Object.getOwnPropertySymbols(one), ...Object.getOwnPropertySymbols(other)]);
  return [...members].every(
    (member) => IDS.includes(member.description) || Object.is(Reflect.get(one, member), Reflect.get(other, member))
  );
}
function showsContexts() {
  const storage = new AsyncLocalStorage();
  const resource = () => new AsyncResource("FleetCall");
  const shows = !haveSameStores(storage.run(1, resource), storage.run(2, resource));
  storage.disable();
  return shows;
}
export {
  isSameContext
};
