const UNREACHABLE = /* @__PURE__ */ new Map([
  ["ECONNREFUSED", "connection refused"],
  ["ENOTFOUND", "unknown host name"],
  ["EAI_AGAIN", "host name lookup failed for now"],
  ["EAI_FAIL", "host name lookup failed"],
  ["EHOSTUNREACH", "host unreachable"],
  ["ENETUNREACH", "network unreachable"],
  ["EHOSTDOWN", "host down"],
  ["ENETDOWN", "network down"],
  ["EADDRNOTAVAIL", "no local address or port available"],
  ["UND_ERR_CONNECT_TIMEOUT", "connection timed out"]
]);
const SYSTEM_TIMEOUT = "ETIMEDOUT";
const UNTRUSTED = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO$)/;
const UNSENDABLE = /* @__PURE__ */ new Set(["ERR_INVALID_URL", "UND_ERR_INVALID_ARG", "ERR_INVALID_CHAR"]);
const CUT = /* @__PURE__ */ new Set(["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "Z_BUF_ERROR", "ERR_STREAM_PREMATURE_CLOSE"]);
const UNKNOWN_ENCODING = "UNKNOWN_CONTENT_ENCODING";
const UNDECODABLE = /^(UNKNOWN_CONTENT_ENCODING|Z_DATA_ERROR|ERR__ERROR_\w+|ZSTD_error_\w+)$/;
const ATTEMPT_TIMEOUT = "ATTEMPT_TIMEOUT";
const NETWORK = /^(E(?!RR_)[A-Z0-9_]+|UND_ERR_\w+|HPE_\w+|Z_\w+|ERR_(HTTP2|STREAM|SOCKET|NETWORK|QUIC)\w*|PROXY_\d+|Connection[A-Z]\w*|FailedToOpenSocket|ATTEMPT_TIMEOUT|TIMEOUT|ABORTED|UNKNOWN_CONTENT_ENCODING)$/;
function isNetworkCode(code) {
  return UNTRUSTED.test(code) || UNSENDABLE.has(code) || CUT.has(code) || NETWORK.test(code) || UNDECODABLE.test(code);
}
function isUndecodable(code) {
  return UNDECODABLE.test(code);
}
function proxyStatus(code) {
  const status = /^PROXY_(\d{3})$/.exec(code)?.[1];
  return status === void 0 ? null : Number(status);
}
function networkErrorKind(code, whileConnecting) {
  if (UNREACHABLE.has(code) || code === SYSTEM_TIMEOUT && whileConnecting) return "unreachable";
  if (proxyStatus(code) !== null) return "refused by proxy";
  if (UNTRUSTED.test(code)) return "untrusted";
  if (UNSENDABLE.has(code)) return "unsendable";
  return CUT.has(code) ? "cut" : "unknown";
}
function isNotHttp(code) {
  return code.startsWith("HPE_");
}
function networkFacts(reason) {
  const status = proxyStatus(reason);
  if (status !== null) return { kind: "refusedByProxy", reason, status };
  if (isNotHttp(reason)) return { kind: "notHttp", reason };
  const kind = networkErrorKind(reason, true);
  return kind === "unreachable" || kind === "untrusted" || kind === "unsendable" ? { kind, reason } : { kind: "connectionLost", reason, isPlainHttp: false };
}
function unreachableReason(code) {
  return UNREACHABLE.get(code) ?? (code === SYSTEM_TIMEOUT ? "connection timed out" : null);
}
export {
  ATTEMPT_TIMEOUT,
  UNKNOWN_ENCODING,
  isNetworkCode,
  isNotHttp,
  isUndecodable,
  networkErrorKind,
  networkFacts,
  proxyStatus,
  unreachableReason
};
