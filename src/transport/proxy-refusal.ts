// A proxy that refuses to carry a request. undici says so only in the message of an error.

const REFUSAL = /^Proxy response \((\d{3})\) !== 200|^Proxy Authentication Required \((407)\)/;

/** The error in a form that the failure rules know: a code with the status of the proxy. Any other error as it is. */
export function proxyRefusalOr(error: Error): Error {
  const match = REFUSAL.exec(error.message);
  if (!match) return error;
  const status = match[1] ?? match[2];
  return Object.assign(new Error(`The proxy answered ${status}.`), { code: `PROXY_${status}` });
}
