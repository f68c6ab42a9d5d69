import { customFetchTransport } from "./custom-fetch.js";
import { trustOptions } from "./http-transport.js";
import { nodeTransport } from "./node-transport.js";
import { hasProxy, proxySettings } from "./proxy.js";
import { undiciTransport } from "./undici-transport.js";
function runtimeTransport(runtime, tls) {
  const { versions, env } = runtime;
  if (versions.bun === void 0) {
    const byNode = () => nodeTransport(tls);
    return undiciTransport(env, tls, Date, hasProxy(proxySettings(env)) ? void 0 : byNode);
  }
  const trust = trustOptions(tls);
  const fetch = (url, init) => runtime.fetch(url, trust.ca === void 0 ? init : { ...init, tls: trust });
  return customFetchTransport(fetch);
}
export {
  runtimeTransport
};
