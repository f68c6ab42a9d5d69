import { isLoopback, SyncTargetError } from "fleet-telematics/kit";
const modes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];
function tlsOf(url, env) {
  const { hostname, searchParams } = new URL(url);
  const hosts = (hostname === "" ? env.PGHOST ?? "localhost" : decodeURIComponent(hostname)).split(",");
  const isOtherHost = hosts.some((host) => !isOnThisMachine(host));
  const byAddress = searchParams.get("sslrootcert") === "system" ? "verify-full" : searchParams.get("sslmode");
  const asked = byAddress ?? env.PGSSLMODE ?? "";
  const mode = asked === "" ? isOtherHost ? "require" : "disable" : modes.find((known) => known === asked);
  if (mode !== void 0 && !searchParams.has("ssl")) return { ssl: sslOf(mode), isOtherHost };
  const what = searchParams.has("ssl") ? "ssl in the address is no setting" : "The sslmode is none";
  throw new SyncTargetError(
    "INVALID",
    `${what} that PostgreSQL knows. Nothing was read.`,
    `Write ?sslmode=\u2026 in the address, or set PGSSLMODE: to one of ${modes.join(", ")}.`
  );
}
function isOnThisMachine(host) {
  return host.startsWith("/") || host === "::1" || isLoopback({ hostname: host.replace(/:\d+$/, "") });
}
function sslOf(mode) {
  switch (mode) {
    case "disable":
      return false;
    case "allow":
    case "prefer":
      return "prefer";
    case "require":
      return "require";
    case "verify-ca":
    case "verify-full":
      return "verify-full";
  }
}
const NO_TLS = "NO_TLS";
export {
  NO_TLS,
  tlsOf
};
