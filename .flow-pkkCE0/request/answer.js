import { isEmptyData, isObject, parseExactly } from "../core/json.js";
import { jsonSlip } from "../core/json-slip.js";
import { isTokenError, refusesToken } from "../core/token-refusal.js";
import { LONG_CHARACTERS, parseLongAnswer } from "../rows/long-answer.js";
import { retryAfterOf } from "../transport/retry-after.js";
async function readResponse(response, result) {
  const text = await response.text();
  const bytes = response.bytes ?? Buffer.byteLength(text);
  let answer;
  try {
    answer = answerOf(text.length > LONG_CHARACTERS ? await parseLongAnswer(text) : parseExactly(text));
  } catch {
    answer = null;
  }
  if (answer === null || !response.ok) return { failure: failureIn(response, text, answer), response, bytes };
  if (answer.errors.length > 0 && refusesTokenOnly(answer)) {
    return { failure: refusal(answer), response, bytes };
  }
  if (result !== void 0 && answer.errors.length === 0 && !(isObject(answer.data) && result in answer.data)) {
    return { failure: { kind: "malformed", status: response.status }, response, bytes };
  }
  return { value: answer, response, bytes };
}
const NO_ERRORS = [];
function answerOf(answer) {
  if (!isObject(answer)) return null;
  const data = answer.data ?? null;
  if (data !== null && !isObject(data)) return null;
  const errors = (answer.errors ?? null) === null ? NO_ERRORS : errorEntries(answer.errors);
  return data === null && errors.length === 0 ? null : { data, errors };
}
function errorEntries(errors) {
  return (Array.isArray(errors) ? errors : [errors]).map((entry) => {
    if (isObject(entry)) return { ...entry, message: messageOf(entry.message) };
    return { message: messageOf(entry) };
  });
}
function messageOf(message) {
  return typeof message === "string" && message !== "" ? message : "The service gave no message.";
}
function refusesTokenOnly({ data, errors }) {
  return isEmptyData(data) && errors.some(refusesToken);
}
function refusal({ data, errors }) {
  const isProof = errors.every((error) => refusesToken(error) && (error.path?.length ?? 0) <= 1);
  return { kind: "unauthorized", data, errors, mayHaveRun: !isProof };
}
function failureIn(response, text, answer) {
  const { ok, status, headers } = response;
  if (ok) return isTruncated(text) ? { kind: "truncated" } : { kind: "malformed", status };
  const errors = answer?.errors ?? NO_ERRORS;
  return status === 403 && isTokenError(headers.get("www-authenticate"), text) ? refusal({ errors, data: null }) : { kind: "status", status, retryAfter: retryAfterOf(response), errors };
}
function isTruncated(text) {
  return /^\s*[{[]/.test(text) && jsonSlip(text)?.isCut === true;
}
export {
  readResponse
};
