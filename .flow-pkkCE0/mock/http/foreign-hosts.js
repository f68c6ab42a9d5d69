import { errorResponse } from "../core/messages.js";
function isLoopback(hostname) {
  return /^(localhost|.+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/.test(hostname);
}
function hostnameOf(host) {
  return URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : null;
}
function isProtected(path) {
  return path.includes("/__mock/") || /\/graphiql(\/|$)/.test(path);
}
function foreignHostResponse(path, { host, origin }, allowed) {
  if (!isProtected(path)) return null;
  const names = allowed.map((name) => hostnameOf(name.includes(":") && !name.startsWith("[") ? `[${name}]` : name));
  const isAllowed = (hostname) => hostname !== null && (isLoopback(hostname) || names.includes(hostname));
  const refuse = (header) => errorResponse(
    403,
    "FORBIDDEN",
    `Only requests with a ${header} header of this machine are answered here. Allow another host name with allowHosts or --allow-host.`
  );
  if (!isAllowed(host === void 0 ? null : hostnameOf(host))) return refuse("Host");
  if (origin === void 0) return null;
  return isAllowed(URL.canParse(origin) ? new URL(origin).hostname : null) ? null : refuse("Origin");
}
export {
  foreignHostResponse
};
