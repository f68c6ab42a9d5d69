import { nodeTransport } from "./node-transport.js";
import { hasProxy, proxySettings } from "./proxy.js";
import { undiciTransport } from "./undici-transport.js";
function shortLivedTransport(env) {
  return hasProxy(proxySettings(env)) ? undiciTransport(env) : nodeTransport();
}
export {
  shortLivedTransport
};
