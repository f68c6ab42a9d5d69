class UndiciNotLoaded extends Error {
}
async function loadUndici() {
  try {
    const [client, connect] = await Promise.all([
      import("undici/lib/dispatcher/client.js"),
      import("undici/lib/core/connect.js")
    ]);
    return { Client: client.default, buildConnector: connect.default };
  } catch (cause) {
    throw notLoaded(cause);
  }
}
async function loadUndiciWithProxies() {
  try {
    return await import("undici");
  } catch (cause) {
    throw notLoaded(cause);
  }
}
function notLoaded(cause) {
  return new UndiciNotLoaded(
    'undici, which sends the requests through the proxy, could not be loaded. If this program is a bundle, mark undici as external and install it beside the bundle, or give the bundle a require() (docs/versioning.md, "bundlers"), or pass `fetch: globalThis.fetch`.',
    { cause }
  );
}
export {
  UndiciNotLoaded,
  loadUndici,
  loadUndiciWithProxies
};
