import { sourceText } from "../config/credential-source.js";
import { note } from "../context/context.js";
import { wholeNumber } from "../views/humanize.js";
function logSettings(run, { baseUrl, profile, profileName, username, credentials, folder }) {
  const parts = [
    baseUrl ?? "no service",
    ...username === null ? [] : [`login ${username}`],
    ...credentials === null ? [] : [`credentials by ${sourceText(credentials)}`],
    ...profile === null ? [] : [`profile ${profileName}`],
    `config in ${folder}`
  ];
  note(run, `* ${parts.join(", ")}`);
}
function requestHooks(run) {
  const log = (line) => note(run, line);
  return {
    onRequest: (event) => log(`> ${operationsText(event)}${detailsText(event)}`),
    onResponse: ({ status, durationMs, bytes, responseId, ...event }) => {
      const size = bytes === null ? "" : `, ${wholeNumber(bytes)} bytes`;
      const id = responseId === null ? "" : `, request id ${responseId}`;
      log(`< ${operationsText(event)}: ${status ?? "no answer"} in ${Math.round(durationMs)} ms${size}${id}`);
    },
    onRetry: ({ operations, reason, waitMs }) => log(`! ${operations.join(", ")}: ${reason}, retrying ${waitMs < 1 ? "at once" : `in ${Math.round(waitMs)} ms`}`),
    onSession: ({ how }) => log(`* session: ${sessionStep[how]}`)
  };
}
function operationsText({ operations }) {
  const counts = /* @__PURE__ */ new Map();
  for (const operation of operations) counts.set(operation, (counts.get(operation) ?? 0) + 1);
  return [...counts].map(([operation, count]) => count === 1 ? operation : `${count} x ${operation}`).join(", ");
}
function detailsText({ kind, attempt, merged, waitMs }) {
  const details = [
    ...kind === "mutation" ? ["mutation"] : [],
    ...attempt > 1 ? [`attempt ${attempt}`] : [],
    ...merged > 1 ? [`${merged} calls merged`] : [],
    ...waitMs >= 1 ? [`waited ${Math.round(waitMs)} ms for its turn`] : []
  ];
  return details.length === 0 ? "" : ` (${details.join(", ")})`;
}
const sessionStep = {
  login: "logged in",
  refresh: "access token refreshed",
  adopt: "used the token that another process obtained"
};
export {
  logSettings,
  requestHooks
};
