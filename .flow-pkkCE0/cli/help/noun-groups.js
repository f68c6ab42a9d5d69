const nounGroups = {
  Everyday: ["today", "vehicles", "map", "snapshots", "trips", "stops", "drivers", "people", "reports", "watch"],
  Changes: ["groups", "geofences", "tokens", "history", "undo"],
  "Reference data": ["devices", "labels", "roles", "rules", "schedules", "sensors"],
  Login: ["login", "logout", "status", "users", "profiles"],
  Tools: ["doctor", "sync", "mcp", "api", "schema", "mock", "completion"]
};
const groupsInOneLine = {
  "Reference data": "look them up"
};
function groupOf(noun) {
  return Object.entries(nounGroups).find(([, nouns]) => nouns.includes(noun))?.[0] ?? null;
}
export {
  groupOf,
  groupsInOneLine,
  nounGroups
};
