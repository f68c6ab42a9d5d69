import { baseUrlProblem, normaliseBaseUrl } from "../../core/base-url.js";
import { configFolder } from "../../core/config-folder.js";
import { didYouMean } from "../../core/suggestions.js";
import { CliError } from "../errors/cli-error.js";
import {
  configPath,
  readConfigFile
} from "./config-file.js";
import { credentialSource, loginKeyOf } from "./credential-source.js";
import { guardFolder } from "./folder-permissions.js";
async function readSettings(run, readConfig = readConfigFile) {
  const { globals, io } = run;
  const folder = configFolder(io.env);
  const warn = (line) => run.report.warn(line);
  guardFolder(folder, warn);
  const config = await readConfig(folder, warn);
  const profileName = profileNamed(namedProfile(run) ?? config.profile);
  const profile = config.profiles.get(profileName) ?? null;
  for (const other of config.corruptProfiles) {
    if (other !== profileName) warn(`The profile "${other}" in ${configPath(folder)} is corrupt and was ignored.`);
  }
  const configuredBaseUrl = globals.baseUrl ?? (io.env.FLEET_BASE_URL || profile?.baseUrl || null);
  const baseUrl = configuredBaseUrl === null ? null : normalBaseUrl(configuredBaseUrl);
  const username = io.env.FLEET_USERNAME || profile?.username || null;
  const isLoginOfProfile = profile !== null && baseUrl === profile.baseUrl && username === profile.username;
  const credentialCommand = isLoginOfProfile ? profile.credentialCommand : null;
  const credentials = credentialSource(io.env, credentialCommand);
  return {
    folder,
    profileName,
    profile,
    isCorrupt: config.corruptProfiles.has(profileName),
    config,
    baseUrl,
    username,
    credentials,
    loginKey: loginKeyOf(username, credentials),
    credentialCommand,
    redis: globals.redis ?? (io.env.FLEET_REDIS_URL || null),
    user: globals.user ?? (io.env.FLEET_USER || null),
    savedUser: isLoginOfProfile ? profile.user : null
  };
}
async function readManagedSettings(run) {
  const { readConfig } = await import("./config-store.js");
  return readSettings(run, readConfig);
}
function namedProfile({ globals, io }) {
  return globals.profile ?? (io.env.FLEET_PROFILE || void 0);
}
function requireProfile(run, { config, folder, isCorrupt, profile, profileName }) {
  if (isCorrupt) {
    throw new CliError("CONFIGURATION", `The profile "${profileName}" in ${configPath(folder)} is corrupt.`, {
      hint: `Repair that file, or create the profile again with \`fleet login --profile ${profileName}\`.`
    });
  }
  const named = namedProfile(run);
  if (named !== void 0 && profile === null) throw noProfile(named, config.profiles);
}
function noProfile(name, profiles) {
  return new CliError("CONFIGURATION", `There is no profile "${name}".`, {
    hint: didYouMean(name, profiles.keys()) ?? `\`fleet login --profile ${name}\` creates it.`,
    choices: [...profiles].map(([profile, { baseUrl, username }]) => ({ profile, baseUrl, username }))
  });
}
function profileNamed(name) {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name;
  throw new CliError("USAGE", `"${name}" is not a valid name for a profile.`, {
    hint: "Use letters, digits, dots, dashes and underscores."
  });
}
function requireBaseUrl(settings) {
  if (settings.baseUrl !== null) return settings.baseUrl;
  throw new CliError("CONFIGURATION", "The address of the service is not set.", {
    hint: "Run `fleet login --base-url <url>`, set FLEET_BASE_URL, or add --demo to try it without an account."
  });
}
function normalBaseUrl(text) {
  const refuse = (reason, hint) => new CliError("CONFIGURATION", `The address of the service ${reason}.`, { hint });
  switch (baseUrlProblem(text)) {
    case null:
      return normaliseBaseUrl(text);
    case "no http(s) address":
      throw refuse(
        "is not a web address",
        "It begins with https:// or http://, for example https://fleet.example.com."
      );
    case "holds credentials":
      throw refuse("contains a user name or a password", "Leave them out; `fleet login` asks for them.");
    case "has a query or fragment":
      throw refuse("has a ? or a # part", "Give only the part before /login/token and /graphql.");
  }
}
export {
  noProfile,
  normalBaseUrl,
  profileNamed,
  readManagedSettings,
  readSettings,
  requireBaseUrl,
  requireProfile
};
