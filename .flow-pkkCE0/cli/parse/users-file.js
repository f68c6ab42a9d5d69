import { isObject } from "../../core/json.js";
import { unusable } from "../errors/unusable.js";
const example = '[{ "username": "ada", "password": "secret", "entries": [{ "fleet": "Demo Fleet" }] }]';
function parseUsersFile(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw refused("it is not JSON");
  }
  if (!Array.isArray(value) || value.length === 0) throw refused("it is not a list of logins");
  return value.map((login, index) => readLogin(login, `login ${index + 1}`));
}
function readLogin(value, where) {
  const { username, password, entries } = members(value, where, ["username", "password", "entries"]);
  if (!Array.isArray(entries) || entries.length === 0) throw refused(`${where} has no list of entries`);
  return {
    username: requiredText(username, `${where}: username`),
    password: requiredText(password, `${where}: password`),
    entries: entries.map((entry, index) => readEntry(entry, `${where}, entry ${index + 1}`))
  };
}
function readEntry(value, where) {
  const { fleet, group, userName } = members(value, where, ["fleet", "group", "userName"]);
  return {
    fleet: requiredText(fleet, `${where}: fleet`),
    ...group === void 0 ? {} : { group: requiredText(group, `${where}: group`) },
    ...userName === void 0 ? {} : { userName: requiredText(userName, `${where}: userName`) }
  };
}
function members(value, where, known) {
  if (!isObject(value)) throw refused(`${where} is not an object`);
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== void 0) throw refused(`${where} has an unknown member; the members are ${known.join(", ")}`);
  return { ...value };
}
function requiredText(value, where) {
  if (typeof value !== "string" || value === "") throw refused(`${where} is missing or not a text`);
  return value;
}
function refused(reason) {
  return unusable("users file", reason, { hint: `An example: ${example}` });
}
export {
  parseUsersFile
};
