import { proxySettings } from "../../transport/proxy.js";
import { ok } from "./check.js";
function proxyFor(env, url) {
  const { httpProxy, httpsProxy, noProxy = "" } = proxySettings(env);
  const address = url.protocol === "https:" ? httpsProxy ?? httpProxy : httpProxy;
  if (address === void 0 || isExempt(url, noProxy)) return null;
  const { hostname, port, protocol } = new URL(address);
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) || (protocol === "https:" ? 443 : 80) };
}
function checkProxy(env, url) {
  const proxy = proxyFor(env, url);
  if (proxy) return ok(`requests go through ${proxy.host}:${proxy.port}, from HTTP_PROXY or HTTPS_PROXY`);
  const { httpProxy, httpsProxy } = proxySettings(env);
  return ok(httpProxy ?? httpsProxy ? "the environment sets one, but not for this address" : "none");
}
function isExempt(url, noProxy) {
  if (noProxy === "*") return true;
  const host = url.hostname.toLowerCase();
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  return noProxy.split(/[,\s]/).filter((entry) => entry !== "").some((entry) => {
    const [, name = entry, only] = /^(.+):(\d+)$/.exec(entry) ?? [];
    const domain = name.replace(/^\*?\./, "").toLowerCase();
    return (only === void 0 || Number(only) === port) && (host === domain || host.endsWith(`.${domain}`));
  });
}
export {
  checkProxy,
  proxyFor
};
