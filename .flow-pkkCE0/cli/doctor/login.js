import { keyOf } from "../../auth/session.js";
import { sourceText } from "../config/credential-source.js";
import { loggedOut } from "../connection/connect.js";
import { findUser } from "../connection/find-user.js";
import { now } from "../context/context.js";
import { ageText } from "../views/humanize.js";
import { failed, ok, warning } from "./check.js";
const CONTRACT_LIFETIME_SECONDS = 300;
async function checkLogin(run, client, settings, store) {
  const credentials = settings?.credentials ?? null;
  if (credentials !== null || settings === null) await client.login();
  else if (await client.session() === null) throw loggedOut(run, settings);
  const users = await client.listLoginUsers({ signal: run.io.signal });
  const session = await client.session();
  const username = session?.username ?? settings?.username ?? "unknown";
  const stored = settings?.baseUrl ? await store?.load(keyOf(settings.baseUrl, settings.loginKey ?? username)) : void 0;
  const parts = [
    `${username}${credentials === null ? "" : ` (${sourceText(credentials)})`}`,
    ...stored ? [lifetimeText(stored)] : []
  ];
  if (session === null || stored === null) {
    return {
      finding: warning(
        `${parts.join(", ")}; the session could not be stored`,
        "Every command logs in again. Make the folder of the sessions writable, see the config check."
      ),
      users
    };
  }
  if (session.refreshUntil === null) {
    parts.push(`the session expires ${ageText(session.accessExpiresAt.getTime(), now(run))}`);
    return {
      finding: warning(parts.join(", "), "The service sent no refresh token: log in again at that time."),
      users
    };
  }
  parts.push(`refreshable until ${session.refreshUntil.toISOString()}`);
  return { finding: ok(parts.join(", ")), users };
}
function lifetimeText({ accessLifetimeMs }) {
  const seconds = accessLifetimeMs / 1e3;
  return `tokens last ${seconds} s ${seconds === CONTRACT_LIFETIME_SECONDS ? "as in the contract" : "by the answer of the service"}`;
}
function checkUsers(run, settings, users) {
  const hint = "Select one with `fleet users use <id|name>`, or with --user or FLEET_USER.";
  const requested = settings ? settings.user : run.globals.user;
  const count = `${users.length} ${users.length === 1 ? "user" : "users"}`;
  if (users.length === 0) {
    return none(
      failed("USER_SELECTION", "the login may not act for any user", "Ask the administrator of the account.")
    );
  }
  if (requested) {
    const user = findUser(requested, users);
    return { user, finding: ok(`${count}; acting for ${nameOf(user)}, set by --user or FLEET_USER`) };
  }
  const saved = settings?.savedUser;
  if (saved) {
    const user = users.find(({ userId }) => userId === saved.userId);
    if (user) return { user, finding: ok(`${count}; acting for ${nameOf(user)}`) };
    return none(failed("USER_SELECTION", `${count}, but the selected user ${nameOf(saved)} is not among them`, hint));
  }
  const [only, ...others] = users;
  if (only && others.length === 0) return { user: only, finding: ok(`${count}; acting for ${nameOf(only)}`) };
  return none(failed("USER_SELECTION", `${count}, and none is selected: ${users.map(nameOf).join("; ")}`, hint));
}
function none(finding) {
  return { finding, user: null };
}
function nameOf({ userName, fleetName, userId }) {
  return [userName ?? userId, fleetName].filter((text) => text !== null).join(" \xB7 ");
}
export {
  checkLogin,
  checkUsers
};
