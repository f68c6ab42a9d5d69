import { join } from "node:path";
import { forgetNames, namesFolder } from "../completion/name-cache.js";
import { sourceText } from "../config/credential-source.js";
import { readSettings, requireBaseUrl, requireProfile } from "../config/settings.js";
import { forgetSoleUser } from "../config/sole-user-cache.js";
import { loginOptions, open } from "../connection/connect.js";
import { note } from "../context/context.js";
import { examples } from "../context/define-command.js";
import { CliError } from "../errors/cli-error.js";
const define = (noun, open2) => {
  noun.addHelpText(
    "after",
    examples(["fleet logout", "delete the session"], ["fleet logout --profile test", "log out of another profile"])
  ).action(() => logout(open2()));
};
async function logout(context) {
  const settings = await readSettings(context);
  requireProfile(context, settings);
  const baseUrl = requireBaseUrl(settings);
  const client = await open(context, await loginOptions(context, settings));
  const session = await client.session();
  await deleteSession(context, client, settings);
  const username = settings.loginKey ?? session?.username;
  if (username) forgetSoleUser({ folder: settings.folder, baseUrl, username });
  forgetNames(namesFolder(context.io.env));
  note(context, session ? `Logged out of ${baseUrl}.` : `You were not logged in at ${baseUrl}.`);
  if (settings.credentials !== null) {
    note(context, `The next command will log in again, by ${sourceText(settings.credentials)}.`);
  }
}
async function deleteSession(run, client, settings) {
  let cause;
  try {
    await client.logout();
    if (await client.session() === null) return;
  } catch (error) {
    if (run.io.signal.aborted) throw error;
    cause = error;
  }
  if (settings.redis !== null) {
    throw new CliError("CONFIGURATION", "You are still logged in: the session stored in Redis could not be removed.", {
      hint: "Run `fleet doctor` to find out why, then run `fleet logout` again. The session expires by itself within 13 hours.",
      cause
    });
  }
  const folder = join(settings.folder, "sessions");
  throw new CliError(
    "CONFIGURATION",
    `You are still logged in: the session stored in ${folder} could not be removed.`,
    {
      hint: "Give yourself write access to that folder and run `fleet logout` again, or delete its files yourself.",
      cause
    }
  );
}
export {
  define
};
