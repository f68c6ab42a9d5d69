import { connect as connectPlain, isIP } from "node:net";
import { connect } from "node:tls";
import { isLoopback } from "../../core/base-url.js";
import { errorCode } from "../../core/error-code.js";
import { DAY_MS } from "../../core/time-zone.js";
import { addressToUse, hostOf, portOf } from "./address.js";
import { failed, ok, skipped, warning } from "./check.js";
import { proxyFor } from "./proxy.js";
const CERTIFICATE_WARNING_DAYS = 14;
async function checkCertificate(baseUrl, env, now, timeoutMs) {
  const url = new URL(baseUrl);
  if (url.protocol === "http:") return plain(url);
  if (proxyFor(env, url)) return skipped("not checked through a proxy");
  const seen = await handshake(hostOf(url), portOf(url), timeoutMs);
  if ("failed" in seen) {
    if (await speaksHttp(url, timeoutMs)) {
      return failed(
        "NETWORK",
        `port ${portOf(url)} speaks plain HTTP and no TLS, and the address begins with https://`,
        `${addressToUse(withScheme(url, "http:"))} If passwords must not be read on the way, find the port with TLS.`
      );
    }
    return failed(
      "NETWORK",
      `no TLS connection can be made (${seen.failed})`,
      "Check that the address is https, and check the port."
    );
  }
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === "0") {
    return warning(
      "certificates are not checked: NODE_TLS_REJECT_UNAUTHORIZED is 0",
      "Unset it, and name the file of your authority in NODE_EXTRA_CA_CERTS."
    );
  }
  if (seen.untrusted !== null) {
    return failed(
      "NETWORK",
      `the certificate is not trusted (${seen.untrusted})`,
      "If your own authority signed it, name its file in NODE_EXTRA_CA_CERTS; otherwise ask the operator of the service."
    );
  }
  const days = Math.floor((seen.validTo - now) / DAY_MS);
  const until = `the certificate is trusted and valid until ${new Date(seen.validTo).toISOString().slice(0, 10)}`;
  if (days >= CERTIFICATE_WARNING_DAYS) return ok(until);
  return warning(`${until}: ${days} days from now`, "Ask the operator of the service to renew it.");
}
const FIRST_ANSWER_MS = 2e3;
async function checkWrongScheme(baseUrl, env, timeoutMs) {
  const url = new URL(baseUrl);
  if (url.protocol !== "http:" || proxyFor(env, url)) return null;
  if ("failed" in await handshake(hostOf(url), portOf(url), Math.min(timeoutMs, FIRST_ANSWER_MS))) return null;
  return failed(
    "NETWORK",
    `port ${portOf(url)} speaks TLS, and the address begins with http://`,
    addressToUse(withScheme(url, "https:"))
  );
}
function withScheme(url, scheme) {
  const { hostname, pathname } = url;
  const isUsual = portOf(url) === (scheme === "https:" ? 443 : 80);
  return `${scheme}//${hostname}${isUsual ? "" : `:${portOf(url)}`}${pathname === "/" ? "" : pathname}`;
}
function speaksHttp(url, timeoutMs) {
  return new Promise((resolve) => {
    const socket = connectPlain({ host: hostOf(url), port: portOf(url), timeout: timeoutMs });
    const end = (speaks) => {
      socket.destroy();
      resolve(speaks);
    };
    socket.once("connect", () => socket.write(`HEAD / HTTP/1.1\r
host: ${url.host}\r
connection: close\r
\r
`));
    socket.once("data", (chunk) => end(chunk.toString("latin1").startsWith("HTTP/")));
    socket.once("timeout", () => end(false));
    socket.once("error", () => end(false));
    socket.once("close", () => end(false));
  });
}
function plain(url) {
  if (isLoopback(url)) return ok("not used; the service is on this machine");
  return warning(
    "not used: others on the network can read passwords and data",
    "Use the https:// address, if the service has one."
  );
}
function handshake(host, port, timeoutMs) {
  return new Promise((resolve) => {
    const end = (socket2, seen) => {
      socket2.destroy();
      resolve(seen);
    };
    const options = { host, port, timeout: timeoutMs, rejectUnauthorized: false };
    const socket = connect({ ...options, ...isIP(host) === 0 ? { servername: host } : {} });
    socket.once("secureConnect", () => {
      const validTo = Date.parse(socket.getPeerCertificate().valid_to);
      const reason = socket.authorizationError;
      end(socket, { untrusted: socket.authorized ? null : reasonText(reason), validTo });
    });
    socket.once("timeout", () => end(socket, { failed: "no answer" }));
    socket.once("error", (error) => end(socket, { failed: errorCode(error) ?? "failed" }));
  });
}
function reasonText(reason) {
  return typeof reason === "string" ? reason : errorCode(reason) ?? "unknown reason";
}
export {
  checkCertificate,
  checkWrongScheme
};
