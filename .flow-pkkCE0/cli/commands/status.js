import { join } from "node:path";
import { configPath } from "../config/config-file.js";
import { sourceText } from "../config/credential-source.js";
import { connectLogin, loggedOut } from "../connection/connect.js";
import { now } from "../context/context.js";
import { examples } from "../context/define-command.js";
import { printRecord } from "../context/print.js";
import { recordShape } from "../shape/list-shape.js";
import { loginStatusView } from "../views/login-status.js";
const define = (noun, open) => {
  noun.addHelpText(
    "after",
    `${examples(
      ["fleet status", ""],
      ["fleet status >/dev/null 2>&1 || fleet login", "exit code 4 when logged out"]
    )}

It tells what is stored on this machine; \`fleet doctor\` tries the login.`
  ).action(() => status(open()));
};
async function whereSessionsAre(settings) {
  if (settings === null) return "memory of this process";
  if (settings.redis === null) return join(settings.folder, "sessions");
  const { redisAddress } = await import("../connection/redis-sharing.js");
  return redisAddress(settings.redis);
}
async function status(context) {
  const demoView = loginStatusView(now(context), { isDemo: true, passwordFrom: null, requestedUser: null });
  const shape = recordShape(context, demoView, "view");
  const { client, settings } = await connectLogin(context);
  const hasCredentials = settings === null || settings.credentials !== null;
  let session = await client.session();
  const isOver = (end) => !end || end.getTime() <= now(context);
  if (hasCredentials && isOver(session?.accessExpiresAt) && isOver(session?.refreshUntil)) {
    session = await client.login();
  }
  if (session === null || isOver(session.accessExpiresAt) && isOver(session.refreshUntil)) {
    if (settings) throw loggedOut(context, settings);
  }
  const user = settings?.savedUser ?? null;
  const record = {
    profile: settings?.profile ? settings.profileName : null,
    baseUrl: settings?.baseUrl ?? null,
    username: session?.username ?? settings?.username ?? null,
    userId: user?.userId ?? null,
    userName: user?.userName ?? null,
    fleetName: user?.fleetName ?? null,
    accessExpiresAt: session?.accessExpiresAt.toISOString() ?? null,
    refreshUntil: session?.refreshUntil?.toISOString() ?? null,
    sessionKeptIn: await whereSessionsAre(settings),
    configuration: settings ? configPath(settings.folder) : null
  };
  const view = context.globals.fields === void 0 ? loginStatusView(now(context), {
    isDemo: settings === null,
    isInRedis: Boolean(settings?.redis),
    isEncrypted: context.io.env.FLEET_REDIS_KEY !== "none",
    passwordFrom: settings?.credentials ? sourceText(settings.credentials) : null,
    requestedUser: (settings ? settings.user : context.globals.user) ?? null
  }) : shape.view;
  await printRecord(context, shape.record(record), view);
}
export {
  define
};
