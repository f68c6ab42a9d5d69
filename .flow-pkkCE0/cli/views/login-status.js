import { timeAndAge } from "./humanize.js";
const loginStatusFields = [
  "profile",
  "baseUrl",
  "username",
  "userId",
  "userName",
  "fleetName",
  "accessExpiresAt",
  "refreshUntil",
  "sessionKeptIn",
  "configuration"
];
function loginStatusView(now, source) {
  const { isDemo, passwordFrom, requestedUser } = source;
  const passwordSource = passwordFrom === null ? "" : `; that comes from ${passwordFrom}`;
  const expiry = (iso, options) => timeAndAge(iso, { ...options, now });
  return {
    columns: [],
    details: [
      { title: "Service", text: ({ baseUrl }) => baseUrl ?? "inside this process (--demo)" },
      { title: "Logged in as", text: ({ username }) => username ?? "" },
      { title: "Acting for", text: (status) => requestedUser ?? selectedUserText(status) },
      { title: "Profile", text: ({ profile }) => profile ?? "" },
      { title: "Access token", text: ({ accessExpiresAt }, options) => expiry(accessExpiresAt, options) },
      { title: "Refreshable", text: ({ refreshUntil }, options) => expiry(refreshUntil, options) },
      { title: "Session stored in", text: ({ sessionKeptIn }) => sessionKeptIn },
      {
        title: "",
        text: () => isDemo ? "" : `${protection(source)}: tokens, never the password${passwordSource}`
      },
      { title: "Configuration", text: ({ configuration }) => configuration ?? "" }
    ],
    fields: loginStatusFields
  };
}
function protection({
  isInRedis,
  isEncrypted
}) {
  if (!isInRedis) return "in files that only you can read (0600)";
  return `${isEncrypted ? "encrypted" : "not encrypted (FLEET_REDIS_KEY=none)"}; session and turns are shared with all machines that use this Redis`;
}
function selectedUserText({ userId, userName, fleetName }) {
  if (userId === null) return "the only user of the login, if there is only one";
  return [userName, fleetName, userId].filter((text) => text !== null).join(" \xB7 ");
}
export {
  loginStatusFields,
  loginStatusView
};
