import { noProfile, profileNamed, readManagedSettings } from "../config/settings.js";
import { sharedStorage } from "../connection/connect.js";
import { canAsk, cannotAskReason, note } from "../context/context.js";
import { examples } from "../context/define-command.js";
import { printRows } from "../context/print.js";
import { CliError } from "../errors/cli-error.js";
import { yesOrNo } from "../parse/yes-or-no.js";
import { ask } from "../prompt/ask.js";
import { listShape } from "../shape/list-shape.js";
import { profileView } from "../views/profile.js";
const define = (noun, open) => {
  noun.addHelpText(
    "after",
    `${examples(
      ["fleet login --profile test --base-url https://\u2026", 'create the profile "test"'],
      ["fleet profiles list", "list the profiles; * marks the default one"],
      ["fleet profiles use test", "use it from now on"],
      ["fleet vehicles list --profile test", "use it for one command"],
      ["fleet profiles remove test --yes", "delete it and its session"]
    )}

A profile contains the address of a service, a login and the user to act for, but never a password.`
  );
  noun.command("list").description("list the profiles; * marks the default one").addHelpText("after", examples(["fleet profiles list", ""], ["fleet profiles list -o json", "for a script"])).action(() => list(open()));
  noun.command("use").description("use this profile by default from now on").argument("<profile>", "name of the profile").addHelpText("after", examples(["fleet profiles use test", ""])).action((name) => use(open(), name));
  noun.command("remove").description("delete a profile and its session; nothing is sent").argument("<profile>", "name of the profile").option("-y, --yes", "do not ask for confirmation; required without a terminal").addHelpText(
    "after",
    examples(
      ["fleet profiles remove test", "asks for confirmation"],
      ["fleet profiles remove test --yes", "for a script"]
    )
  ).action((name, flags) => remove(open(), name, flags));
};
async function list(context) {
  const shape = listShape(context, profileView, "view");
  const settings = await readManagedSettings(context);
  const { profiles } = settings.config;
  const { loginExpiry } = await import("../config/stored-session.js");
  const { tokenStore: store } = await sharedStorage(context, settings);
  const rows = await Promise.all(
    [...profiles].map(
      async ([name, { baseUrl, username, user }]) => ({
        name,
        isUsed: name === settings.profileName,
        baseUrl,
        username,
        userId: user?.userId ?? null,
        userName: user?.userName ?? null,
        fleetName: user?.fleetName ?? null,
        loggedInUntil: await loginExpiry(store, baseUrl, username)
      })
    )
  );
  await printRows(context, shape.rows(rows), shape.view, "There is no profile yet; `fleet login` creates one.");
}
async function use(run, name) {
  const { folder, config } = await readManagedSettings(run);
  const profile = existingProfile(config, name);
  const { setDefaultProfile } = await import("../config/config-store.js");
  await setDefaultProfile(folder, name, run.io.signal);
  note(run, `Now using the profile "${name}"${loginText(profile)}.`);
  if (run.io.env.FLEET_PROFILE) note(run, "FLEET_PROFILE is set and overrides this choice until you unset it.");
}
async function remove(context, name, flags) {
  const settings = await readManagedSettings(context);
  const { folder, config } = settings;
  const profile = config.corruptProfiles.has(name) ? null : existingProfile(config, name);
  await confirm(context, `Delete the profile "${name}"${loginText(profile)} and its session? [y/N] `, flags);
  const isShared = [...config.profiles].some(
    ([other, { baseUrl, username }]) => other !== name && baseUrl === profile?.baseUrl && username === profile.username
  );
  if (profile !== null && !isShared) await deleteSession(context, settings, profile);
  const { removeProfile } = await import("../config/config-store.js");
  const defaultProfile = await removeProfile(folder, name, context.io.signal);
  note(
    context,
    `Deleted the profile "${name}"${isShared ? "; its session stays, because another profile uses it" : ""}.`
  );
  if (config.profile !== name || config.profiles.size <= 1) return;
  note(
    context,
    config.profiles.has(defaultProfile) && defaultProfile !== name ? `Now using the profile "${defaultProfile}".` : "Select another one with `fleet profiles use`."
  );
}
async function deleteSession(context, settings, { baseUrl, username }) {
  if (baseUrl === null || username === null) return;
  const { forgetLogin } = await import("../config/stored-session.js");
  const { tokenStore } = await sharedStorage(context, settings);
  await forgetLogin({ folder: settings.folder, baseUrl, username }, tokenStore);
}
async function confirm(run, question, { yes }) {
  if (yes) return;
  if (!canAsk(run)) {
    throw new CliError("USAGE", `Deleting a profile needs a confirmation, and ${cannotAskReason(run)}.`, {
      hint: "Add --yes to delete it without a prompt."
    });
  }
  if (yesOrNo(await ask(run, question)) === true) return;
  throw new CliError("ABORTED", "Not confirmed; the profile was not deleted.");
}
function existingProfile({ profiles }, name) {
  const profile = profiles.get(profileNamed(name));
  if (profile) return profile;
  throw noProfile(name, profiles);
}
function loginText(profile) {
  const { baseUrl, username } = profile ?? {};
  return baseUrl ? ` (${username ? `${username} at ` : ""}${baseUrl})` : "";
}
export {
  define
};
