import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import { PartOfClient } from "./turn-order.js";
const incoming = new AsyncLocalStorage();
let isFollowed = false;
function callerOf(client, kind) {
  if (!isFollowed) {
    if (kind === "query") return client;
    followRequests();
  }
  const parts = incoming.getStore();
  if (!parts) return client;
  const known = parts.get(client);
  if (known) return known;
  const part = new PartOfClient(client);
  parts.set(client, part);
  return part;
}
function followRequests() {
  isFollowed = true;
  subscribe("http.server.request.start", () => incoming.enterWith(/* @__PURE__ */ new WeakMap()));
}
export {
  callerOf
};
