import { ageText } from "./humanize.js";
const profileView = {
  columns: [
    { title: "", text: ({ isUsed }) => isUsed ? "*" : "", rank: 0 },
    { title: "PROFILE", text: ({ name }) => name, rank: 0 },
    { title: "SERVICE", text: ({ baseUrl }) => baseUrl ?? "", min: 16, rank: 0 },
    { title: "LOGIN", text: ({ username }) => username ?? "", min: 8, rank: 1 },
    { title: "ACTING FOR", text: actingFor, min: 10, rank: 3 },
    {
      title: "SESSION",
      text: ({ loggedInUntil }, { now }) => sessionText(loggedInUntil, now),
      paint: (text, { loggedInUntil }, { colors, now }) => isExpired(loggedInUntil, now) ? colors.dim(text) : text,
      rank: 2
    }
  ],
  fields: ["name", "isUsed", "baseUrl", "username", "userId", "userName", "fleetName", "loggedInUntil"]
};
function actingFor({ userName, userId, fleetName }) {
  return [userName ?? userId, fleetName].filter((text) => text !== null).join(" \xB7 ");
}
function sessionText(until, now) {
  if (until === null) return "logged out";
  return isExpired(until, now) ? "expired" : `expires ${ageText(Date.parse(until), now)}`;
}
function isExpired(until, now) {
  return until === null || Date.parse(until) <= now;
}
export {
  profileView
};
