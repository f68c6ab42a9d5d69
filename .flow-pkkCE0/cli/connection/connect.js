import { withOwnKey } from "../../auth/credentials.js";
import { isLoopback } from "../../core/base-url.js";
import { passwordSource } from "../config/credential-source.js";
import { readSettings, requireBaseUrl, requireProfile } from "../config/settings.js";
import { CliError } from "../errors/cli-error.js";
import { parseUserSelector } from "../parse/user-selector.js";
import { findUser } from "./find-user.js";
import { handleWarning } from "./handle-warning.js";
import { logSettings, requestHooks } from "./verbose.js";
import { waitingHooks } from "./waiting.js";
const demoLogin = { username: "demo", password: "demo" };
const demoUrl = "http://demo.invalid";
async function connectLogin(context, read = readSettings) {
  if (context.globals.demo) return { client: await open(context, await demoOptions(context)), settings: null };
  const settings = await read(context);
  requireProfile(context, settings);
  if (context.globals.verbose) logSettings(context, settings);
  const client = await open(context, await loginOptions(context, settings));
  if (settings.credentials === null && await client.session() === null) throw loggedOut(context, settings);
  return { client, settings };
}
async function connect(context) {
  const { shared } = context.service;
  return shared === null ? openForUser(context) : shared();
}
async function openForUser(context, read = readSettings) {
  const { client, settings } = await connectLogin(context, read);
  const user = await userToActFor(context, client, settings);
  if (settings) context.service.actsFor(authorOf(settings, user));
  return user ? client.forUser(user) : client;
}
async function userToActFor(context, client, settings) {
  const user = settings ? settings.user : context.globals.user;
  if (user) return resolveUser(user, client);
  if (settings?.savedUser) return { userId: settings.savedUser.userId };
  if (!settings?.loginKey) return null;
  const { folder, loginKey } = settings;
  return soleUser(context, client, { folder, baseUrl: requireBaseUrl(settings), username: loginKey });
}
function authorOf({ profileName, baseUrl, username, savedUser }, user) {
  const userId = user && "userId" in user ? user.userId : null;
  const fleetId = user && "fleetId" in user ? user.fleetId : null;
  const named = savedUser?.userId === userId ? savedUser : null;
  const names = { userName: named?.userName ?? null, fleetName: named?.fleetName ?? null };
  return { profile: profileName, baseUrl, login: username, user: user && { userId, fleetId, ...names } };
}
async function soleUser(run, client, login) {
  const { readSoleUser, saveSoleUser } = await import("../config/sole-user-cache.js");
  const cached = readSoleUser(login, await client.session());
  if (cached !== null) return { userId: cached };
  const [only, ...others] = await client.listLoginUsers({ signal: run.io.signal });
  if (!only || others.length > 0) return null;
  const session = await client.session();
  if (session) saveSoleUser(login, session, only.userId);
  return { userId: only.userId };
}
async function resolveUser(text, client) {
  const selector = parseUserSelector(text);
  if (selector === null) {
    throw new CliError("USAGE", `"${text}" does not name a user.`, {
      hint: "Give a userId, a userName, a fleetName or fleet:<fleetId>."
    });
  }
  if (selector.by === "userId") return { userId: selector.userId };
  if (selector.by === "fleetId") return { fleetId: selector.fleetId };
  return { userId: findUser(selector.name, await client.listLoginUsers()).userId };
}
async function loginOptions(context, settings, isWarned = false) {
  const { username, credentials, loginKey } = settings;
  const baseUrl = requireBaseUrl(settings);
  const storage = await sharedStorage(context, settings);
  const common = commonOptions(context);
  const isReadable = !isWarned && credentials !== null && isReadableOnTheWay(baseUrl);
  return {
    ...common,
    ...isReadable ? { hooks: warnOfLogin(context, common.hooks, baseUrl) } : {},
    baseUrl,
    // Commands that run at the same time take turns and share the session.
    ...storage,
    ...credentials === null ? {} : { credentials: credentialsOf(context, credentials, username) },
    ...loginKey === null ? {} : { sessionKey: loginKey },
    fetch: context.io.fetch,
    ...context.io.clock ? { clock: context.io.clock } : {}
  };
}
function credentialsOf(context, source, username) {
  if (source.kind === "password" && username !== null) return { username, password: source.password };
  const read = async () => {
    const { credentialsFrom } = await import("./read-credentials.js");
    return credentialsFrom(context, source, username);
  };
  return source.kind === "command" && username === null ? withOwnKey(read) : read;
}
async function sharedStorage(context, { redis, folder, credentials }) {
  if (redis !== null) {
    const { redisSharing } = await import("./redis-sharing.js");
    try {
      return await redisSharing(context, { redis, folder });
    } catch (error) {
      const isOutage = error instanceof CliError && error.code === "NETWORK" && credentials !== null;
      if (!isOutage || context.io.signal.aborted) throw error;
      context.report.warn(`${error.message} This command shares turns and session only with others of this machine.`);
    }
  }
  const { fileGate, fileTokenStore } = await import("./sdk.js");
  const options = { directory: folder, onWarning: (warning) => handleWarning(context, warning) };
  return { gate: fileGate(options), tokenStore: fileTokenStore(options) };
}
async function demoOptions(run) {
  const { createMockService } = await import("../../mock/service.js");
  const service = createMockService({ clock: run.clock });
  return {
    ...commonOptions(run),
    baseUrl: demoUrl,
    credentials: demoLogin,
    fetch: service.plainFetch,
    clock: service.clock
  };
}
function commonOptions(run) {
  return {
    hooks: {
      ...run.globals.verbose ? requestHooks(run) : redraws(run) ? {} : waitingHooks(run),
      onWarning: (warning) => handleWarning(run, warning)
    },
    ...run.globals.timeout === void 0 ? {} : { timeoutMs: run.globals.timeout }
  };
}
function redraws({ command }) {
  return command?.opts().watch !== void 0;
}
function isReadableOnTheWay(baseUrl) {
  const url = new URL(baseUrl);
  return url.protocol === "http:" && !isLoopback(url);
}
function readablePassword(baseUrl) {
  return `${baseUrl} is not https: others on the network can read the password.`;
}
function warnOfLogin(run, hooks, baseUrl) {
  return {
    ...hooks,
    onRequest: (event) => {
      hooks.onRequest?.(event);
      if (!event.operations.includes("login")) return;
      run.report.warn(readablePassword(baseUrl));
    }
  };
}
async function open(run, options) {
  const { cliClient } = await import("./sdk.js");
  const client = cliClient(options, run.io.env);
  run.service.opened(client, options.fetch === void 0 ? options.baseUrl : null);
  const close = () => {
    const closing = client.close();
    run.io.unfinished?.add(closing);
    return closing.finally(() => run.io.unfinished?.delete(closing));
  };
  run.service.onEnd(close);
  run.io.signal.addEventListener("abort", close, { once: true });
  return client;
}
function loggedOut({ io }, settings) {
  const who = settings.username === null ? "You are" : `"${settings.username}" is`;
  return new CliError("AUTHENTICATION", `${who} not logged in at ${settings.baseUrl ?? "any service"}.`, {
    hint: passwordSource(io.env) !== null && !io.env.FLEET_USERNAME ? "The environment has a password and no user name: set FLEET_USERNAME too." : "Run `fleet login`, or set FLEET_USERNAME and FLEET_PASSWORD."
  });
}
export {
  connect,
  connectLogin,
  demoOptions,
  isReadableOnTheWay,
  loggedOut,
  loginOptions,
  open,
  openForUser,
  readablePassword,
  resolveUser,
  sharedStorage
};
