import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { hashedName } from "../../core/hashed-name.js";
import { isObject } from "../../core/json.js";
import { makeFolder } from "../../core/make-folder.js";
import { writePrivateFile } from "../../core/private-file.js";
function readSoleUser(login, session) {
  if (session === null) return null;
  try {
    const cached = JSON.parse(readFileSync(fileOf(login), "utf8"));
    if (!isObject(cached) || cached.login !== nameOf(login)) return null;
    if (cached.token !== session.accessExpiresAt.toISOString()) return null;
    return typeof cached.userId === "string" ? cached.userId : null;
  } catch {
    return null;
  }
}
function saveSoleUser(login, session, userId) {
  const file = fileOf(login);
  const entry = { login: nameOf(login), token: session.accessExpiresAt.toISOString(), userId };
  try {
    makeFolder(join(login.folder, "sessions"));
    writePrivateFile(file, JSON.stringify(entry));
  } catch {
  }
}
function forgetSoleUser(login) {
  rmSync(fileOf(login), { force: true });
}
function nameOf({ baseUrl, username }) {
  return `${baseUrl} ${username}`;
}
function fileOf(login) {
  const name = hashedName(nameOf(login));
  return join(login.folder, "sessions", `${name}.user`);
}
export {
  forgetSoleUser,
  readSoleUser,
  saveSoleUser
};
