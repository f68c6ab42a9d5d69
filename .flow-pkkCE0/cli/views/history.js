import { timeAndAge, timeColumn } from "./humanize.js";
const historyView = {
  columns: [
    { title: "#", text: ({ n }) => String(n), align: "right", rank: 0 },
    { title: "WHEN", ...timeColumn(({ at }) => at), rank: 1 },
    { title: "WHO", text: whoText, min: 6, rank: 4 },
    { title: "COMMAND", text: ({ command }) => command, min: 16, rank: 0 },
    { title: "RECORDS", text: ({ records }) => records, min: 10, rank: 2 },
    {
      title: "OUTCOME",
      text: outcomeText,
      paint: (text, { outcome, undoneBy }, { colors }) => undoneBy !== null ? colors.dim(text) : outcome === "done" ? colors.green(text) : colors.red(text),
      rank: 0
    }
  ],
  details: [
    { title: "Number", text: ({ n }) => String(n) },
    { title: "When", text: ({ at }, options) => timeAndAge(at, options) },
    { title: "Who", text: whoText },
    { title: "Profile", text: ({ profile }) => profile },
    { title: "Service", text: ({ baseUrl }) => baseUrl ?? "" },
    { title: "Command", text: ({ command }) => command },
    { title: "Undoes", text: ({ undoes }) => undoes === null ? "" : `#${undoes}` },
    { title: "Outcome", text: outcomeText },
    { title: "Changes", text: ({ lines }) => lines.join("; ") }
  ],
  fields: [
    "n",
    "at",
    "login",
    "userId",
    "userName",
    "fleetName",
    "profile",
    "baseUrl",
    "command",
    "records",
    "changes",
    "outcome",
    "undoes",
    "undoneBy",
    "partlyUndoneBy"
  ],
  values: { outcome: ["done", "failed", "partly", "unknown"] }
};
function whoText({ login, userName, fleetName }) {
  return [login, userName, fleetName].filter((text) => text !== null).join(" \xB7 ");
}
function outcomeText({ outcome, undoneBy, partlyUndoneBy }) {
  if (partlyUndoneBy !== null) return `${outcome}, partly undone by #${partlyUndoneBy}`;
  return undoneBy === null ? outcome : `undone by #${undoneBy}`;
}
export {
  historyView
};
