import { isRateLimited, isTransient } from "../core/http-status.js";
import { isUndecodable, networkErrorKind, proxyStatus } from "../core/network-errors.js";
import { FollowedRedirect } from "../transport/followed-redirect.js";
import { ResponseTooLarge } from "../transport/response-limits.js";
import { causeOfFault, isTransportFault } from "../transport/transport-fault.js";
function failureOf(thrown, status = null, isPlainHttp = false) {
  if (thrown instanceof ResponseTooLarge) return { kind: "tooLarge", limitBytes: thrown.limitBytes };
  if (thrown instanceof FollowedRedirect) return { kind: "redirected", origin: thrown.origin };
  const coded = codedErrors(thrown);
  const codes = coded.map(({ code }) => code);
  if (isTransportFault(thrown, codes)) return { kind: "fault", cause: causeOfFault(thrown) };
  if (status !== null) return codes.some(isUndecodable) ? { kind: "malformed", status } : { kind: "truncated" };
  const refusal = codes.map(proxyStatus).find((code) => code !== null);
  if (refusal) return { kind: "unreachable", retryable: isRateLimited(refusal) || isTransient(refusal), cause: thrown };
  const kinds = coded.map(kindOf);
  if (kinds.includes("untrusted") || kinds.includes("unsendable")) {
    return { kind: "unreachable", retryable: false, cause: thrown };
  }
  if (kinds.length > 0 && kinds.every((kind) => kind === "unreachable")) {
    return { kind: "unreachable", retryable: true, cause: thrown };
  }
  return kinds.includes("cut") ? { kind: "truncated" } : { kind: "disconnected", cause: thrown, isPlainHttp };
}
function isUnsendable(thrown) {
  return codedErrors(thrown).map(kindOf).includes("unsendable");
}
function kindOf({ code, syscall }) {
  return networkErrorKind(code, syscall === "connect");
}
function codedErrors(thrown, depth = 0) {
  if (typeof thrown !== "object" || thrown === null || depth > 4) return [];
  const collected = Reflect.get(thrown, "errors");
  const inner = [
    ...codedErrors(Reflect.get(thrown, "cause"), depth + 1),
    ...Array.isArray(collected) ? collected.flatMap((error) => codedErrors(error, depth + 1)) : []
  ];
  const code = Reflect.get(thrown, "code");
  const isOwnCode = typeof code === "string" && !(Array.isArray(collected) && inner.length > 0);
  return isOwnCode ? [{ code, syscall: Reflect.get(thrown, "syscall") }, ...inner] : inner;
}
function codeOf(thrown) {
  return codedErrors(thrown).find(({ code }) => /^[A-Z][A-Z0-9_]{0,63}$/.test(code))?.code ?? null;
}
export {
  codeOf,
  failureOf,
  isUnsendable
};
