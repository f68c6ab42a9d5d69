import { bareCause } from "../core/errors.js";
import { isNetworkCode } from "../core/network-errors.js";
import { UndiciNotLoaded } from "./load-undici.js";
const NETWORK_MESSAGE = /^(fetch failed|failed to fetch|load failed|terminated|networkerror when attempting|network request failed|network connection lost|error sending request|socket hang up|premature close)/i;
const NETWORK_NAME = /^(AbortError|TimeoutError|FetchError|NetworkError|HTTPParserError)$/;
function isTransportFault(thrown, codes) {
  if (codes.some(isNetworkCode)) return false;
  if (!(thrown instanceof Error)) return true;
  return !NETWORK_NAME.test(thrown.name) && !NETWORK_MESSAGE.test(thrown.message);
}
function causeOfFault(thrown) {
  if (thrown instanceof UndiciNotLoaded) return thrown;
  const cause = bareCause(thrown);
  const frames = framesOf(thrown);
  const { name, message } = cause;
  if (frames.length > 0) cause.stack = [message === name ? name : `${name}: ${message}`, ...frames].join("\n");
  return cause;
}
const FRAME = /^ +at .*(:\d+:\d+|<anonymous>|native|index \d+)\)?$/;
function framesOf(thrown) {
  const stack = thrown instanceof Error ? thrown.stack : void 0;
  return typeof stack === "string" ? stack.split("\n").filter((line) => FRAME.test(line)) : [];
}
export {
  causeOfFault,
  isTransportFault
};
