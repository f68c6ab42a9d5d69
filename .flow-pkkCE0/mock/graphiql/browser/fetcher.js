import { SessionEnded } from "./session.js";
function oneAtATime() {
  let last = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => void 0);
    return result;
  };
}
function requestHeaders(userId) {
  return { userId, "content-type": "application/json", accept: "application/json" };
}
function createFetcher(options) {
  const { session, userId, path, inTurn, now, onAnswer, onSessionEnded } = options;
  return (request) => inTurn(async () => {
    try {
      const body = JSON.stringify(request);
      const sentAt = now();
      const response = await session.send(path, requestHeaders(userId), { method: "POST", body });
      const text = await response.text();
      const answered = {
        status: response.status,
        statusText: `${response.status} ${response.statusText}`.trim(),
        retryAfter: response.headers.get("retry-after"),
        milliseconds: now() - sentAt,
        bytes: new TextEncoder().encode(text).length
      };
      onAnswer(answered);
      return readAnswer(answered, text);
    } catch (error) {
      if (error instanceof SessionEnded) onSessionEnded(error);
      throw error;
    }
  });
}
function readAnswer({ status, statusText, retryAfter }, text) {
  const http = status === 200 ? {} : { http: statusText, ...retryAfter === null ? {} : { retryAfter } };
  try {
    const answer = JSON.parse(text);
    return status === 200 ? answer : { ...http, ...isObject(answer) ? answer : { answer } };
  } catch {
    return {
      http: statusText,
      ...http,
      problem: "The answer is not JSON, so something other than the service may have sent it.",
      text
    };
  }
}
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
export {
  createFetcher,
  oneAtATime,
  requestHeaders
};
