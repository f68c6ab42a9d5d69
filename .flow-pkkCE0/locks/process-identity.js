import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
let identity = null;
let own = null;
let boot = null;
function hostIdentity() {
  identity ??= readIdentity();
  return identity;
}
function readIdentity() {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}
function ownIdentity() {
  own ??= { pid: process.pid, host: hostIdentity(), startedAt: statOf(process.pid)?.startedAt ?? null };
  return own;
}
function parseIdentity(value) {
  if (typeof value !== "object" || value === null) return null;
  const pid = Reflect.get(value, "pid");
  const host = Reflect.get(value, "host");
  const startedAt = Reflect.get(value, "startedAt");
  if (typeof pid !== "number" || typeof host !== "string") return null;
  return { pid, host, startedAt: typeof startedAt === "string" ? startedAt : null };
}
function stateOf({ pid, host, startedAt }) {
  if (host !== hostIdentity()) return "unknown";
  if (!isInUse(pid)) return "gone";
  const stat = statOf(pid);
  if (stat?.isZombie) return "gone";
  if (startedAt === null || !stat?.startedAt) return "unknown";
  return stat.startedAt === startedAt ? "running" : "gone";
}
function isInUse(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(typeof error === "object" && error !== null && "code" in error && error.code === "ESRCH");
  }
}
function statOf(pid) {
  if (process.platform !== "linux") return null;
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").replace(/^.*\) /s, "").split(" ");
    boot ??= readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return { isZombie: /^[ZX]$/.test(fields[0] ?? ""), startedAt: fields[19] ? `${boot} ${fields[19]}` : null };
  } catch {
    return null;
  }
}
export {
  hostIdentity,
  ownIdentity,
  parseIdentity,
  stateOf
};
