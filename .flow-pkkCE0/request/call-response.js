import { refusedInput } from "../core/refused-input.js";
import { NO_IDS } from "../core/request-ids.js";
import { allHeaders } from "../transport/response-headers.js";
import { readDate } from "../transport/service-clock.js";
const answers = /* @__PURE__ */ new WeakMap();
function noted(make) {
  const place = { answer: null };
  const made = make(place);
  answers.set(made, place);
  return made;
}
function note(place, { attempts, ids, head }) {
  place.answer = { attempts, ids, head };
}
function responseOf({ answer }) {
  if (!answer?.head) return null;
  const { status, headers: given } = answer.head;
  const headers = allHeaders(given);
  const serviceTime = readDate(headers.get("date") ?? "");
  return { status, headers, ...answer.ids?.() ?? NO_IDS, serviceTime, attempts: answer.attempts };
}
async function withResponse(call) {
  const place = typeof call === "object" && call !== null ? answers.get(call) : void 0;
  if (place === void 0) {
    Promise.resolve(call).catch(() => void 0);
    const takes = "withResponse takes what a method, request() or a stream returned, not a promise that was made of it";
    throw refusedInput(`${takes}.`, "withResponse");
  }
  if (isStream(call)) answers.delete(call);
  const data = isStream(call) ? await begun(call) : await call;
  const response = responseOf(place);
  if (response === null) throw refusedInput("withResponse: the stream ended before it sent anything.", "withResponse");
  return { data, response };
}
function isStream(call) {
  return typeof call === "object" && call !== null && Symbol.asyncIterator in call;
}
async function begun(stream) {
  let first = await stream.next();
  const rest = {
    [Symbol.asyncIterator]: () => rest,
    next() {
      const item = first;
      first = null;
      return item === null ? stream.next() : Promise.resolve(item);
    },
    return() {
      first = null;
      return stream.return();
    },
    [Symbol.asyncDispose]: () => stream[Symbol.asyncDispose]()
  };
  return rest;
}
export {
  note,
  noted,
  withResponse
};
