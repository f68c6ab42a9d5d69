import { commandSource, passwordSource } from "../config/credential-source.js";
import { normalBaseUrl, readManagedSettings, requireBaseUrl } from "../config/settings.js";
import { isReadableOnTheWay, loginOptions, open, readablePassword } from "../connection/connect.js";
import { findUser } from "../connection/find-user.js";
import { canAsk, note } from "../context/context.js";
import { examples } from "../context/define-command.js";
import { CliError, refusal } from "../errors/cli-error.js";
import { ask, askSecret, choose, requirePrompt } from "../prompt/ask.js";
import { readStdin } from "../prompt/read-stdin.js";
const define = (noun, open2) => {
  noun.summary("log in to a service and save the session").description(
    "Log in to a service and save the session. Prompts for what is missing. The password is never saved. Scripts pass it on stdin, in FLEET_PASSWORD or FLEET_PASSWORD_FILE, or name a command that prints it."
  ).option("--username <name>", "user name (FLEET_USERNAME)").option("--password-stdin", "read the password from stdin").option(
    "--credential-command <command>",
    "get the password from this command, now and whenever the session is over; saved with the profile, empty for none (FLEET_CREDENTIAL_COMMAND)"
  ).addHelpText(
    "after",
    `${examples(
      ["fleet login", "prompts for everything"],
      ["fleet login --base-url https://\u2026 --username me", "prompts for the password"],
      ["\u2026 | fleet login --username me --password-stdin", "for scripts"],
      ["fleet login --username me --credential-command 'pass fleet'", "for commands that nobody watches"],
      ["fleet login --profile test --base-url https://\u2026", "a second login beside the first"]
    )}

The command of --credential-command prints the password alone, or JSON: {"username": "\u2026", "password": "\u2026"}. A shell runs it once for each
login, at most 30 seconds or --timeout, and nothing that it prints is shown. docs/unattended.md has more.`
  ).action((flags) => login(open2(), flags));
};
async function login(context, flags) {
  const known = await readManagedSettings(context);
  const baseUrl = await addressFor(context, known);
  warnAboutHttp(context, baseUrl);
  const { username, password } = await credentialsFor(context, flags, known);
  const settings = {
    ...known,
    baseUrl,
    username,
    loginKey: username,
    credentials: { kind: "password", password }
  };
  const client = await open(context, await loginOptions(context, settings, true));
  await client.login();
  const users = await client.listLoginUsers({ signal: context.io.signal });
  const user = await userFor(context, settings, users);
  const { saveProfile } = await import("../config/config-store.js");
  const savedUser = user && {
    userId: user.userId,
    userName: user.userName,
    fleetName: user.fleetName
  };
  const isSameLogin = known.profile?.baseUrl === baseUrl && known.profile.username === username;
  const saved = isSameLogin ? known.profile.credentialCommand : null;
  const credentialCommand = flags.credentialCommand === void 0 ? saved : flags.credentialCommand.trim() || null;
  const profile = { baseUrl, username, user: savedUser, credentialCommand };
  await saveProfile(settings.folder, settings.profileName, profile, context.io.signal);
  note(context, `Logged in to ${baseUrl} as ${username}.`);
  if (user) note(context, `Acting for ${nameOf(user)}.`);
  else explainSelection(context, users);
}
async function addressFor(run, known) {
  if (known.baseUrl !== null || !canAsk(run)) return requireBaseUrl(known);
  return normalBaseUrl(await ask(run, "Address of the service: "));
}
function warnAboutHttp(run, baseUrl) {
  if (isReadableOnTheWay(baseUrl)) note(run, `warning: ${readablePassword(baseUrl)}`);
}
async function usernameFor(run, requested, known) {
  if (requested !== null) return requested;
  if (!canAsk(run) && known.username !== null) return known.username;
  requirePrompt(run, "A user name", "Give --username, or set FLEET_USERNAME.");
  const answer = await ask(run, known.username === null ? "User name: " : `User name [${known.username}]: `);
  const username = answer || known.username;
  if (username) return username;
  throw new CliError("USAGE", "A user name is needed.", { hint: "Give --username, or set FLEET_USERNAME." });
}
async function credentialsFor(context, flags, known) {
  const requested = flags.username?.trim() || context.io.env.FLEET_USERNAME || null;
  const source = sourceOf(context, flags, known, requested);
  if (source === null) {
    const username2 = await usernameFor(context, requested, known);
    return { username: username2, password: await typedPassword(context, flags) };
  }
  const { credentialsFrom } = await import("../connection/read-credentials.js");
  const ofProfile = flags.credentialCommand ? null : known.username;
  const username = source.kind === "command" ? requested ?? ofProfile : await usernameFor(context, requested, known);
  return credentialsFrom(context, source, username);
}
function sourceOf({ io }, flags, { profile, credentialCommand }, requested) {
  const command = flags.credentialCommand?.trim();
  if (command && flags.passwordStdin) {
    throw refusal("Give either --password-stdin or --credential-command.", {
      hint: "The command prints the password itself."
    });
  }
  if (command) return { kind: "command", command, isOfProfile: true };
  if (flags.passwordStdin) return null;
  const belongsToUser = !io.env.FLEET_USERNAME || io.env.FLEET_USERNAME === requested;
  const isOfProfile = command === void 0 && (requested === null || requested === profile?.username);
  return (belongsToUser ? passwordSource(io.env) : null) ?? commandSource(io.env, isOfProfile ? credentialCommand : null);
}
async function typedPassword(run, flags) {
  const hint = "Pipe it in with --password-stdin, set FLEET_PASSWORD or FLEET_PASSWORD_FILE, or give --credential-command.";
  const isPiped = flags.passwordStdin && run.io.stdin.isTTY !== true;
  if (!isPiped) requirePrompt(run, "A password", hint);
  const password = isPiped ? (await readStdin(run)).replace(/\r?\n$/, "") : await askSecret(run, "Password: ");
  if (password !== "") return password;
  throw new CliError("USAGE", "The password is empty.", { hint });
}
async function userFor(run, settings, users) {
  if (settings.user !== null) return findUser(settings.user, users);
  const isSameLogin = settings.profile?.baseUrl === settings.baseUrl && settings.profile.username === settings.username;
  const previousId = isSameLogin ? settings.profile.user?.userId : void 0;
  const previous = users.find((user) => user.userId === previousId);
  if (previous) return previous;
  const [only] = users;
  if (only && users.length === 1) return only;
  if (users.length === 0 || !canAsk(run)) return null;
  return choose(run, "Act for which user?", users, (user) => `${nameOf(user)}  ${user.userId}`);
}
function explainSelection(run, users) {
  if (users.length === 0) {
    note(run, "warning: The login may not act for any user. Ask the administrator of the account.");
    return;
  }
  note(run, `The login may act for ${users.length} users; none is selected yet:`);
  for (const user of users) note(run, `  ${user.userId}  ${nameOf(user)}`);
  note(run, "Select one with `fleet users use <id|name>`, or for one call with --user or FLEET_USER.");
}
function nameOf({ userName, fleetName, userId }) {
  return [userName ?? userId, fleetName].filter((text) => text !== null).join(" \xB7 ");
}
export {
  define
};
