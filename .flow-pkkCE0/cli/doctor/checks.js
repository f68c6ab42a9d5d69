import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorCode } from "../../core/error-code.js";
import { withTimeLimit } from "../../core/time-limit.js";
import { configPath } from "../config/config-file.js";
import { readManagedSettings, requireBaseUrl, requireProfile } from "../config/settings.js";
import { demoOptions, loginOptions, open } from "../connection/connect.js";
import { now } from "../context/context.js";
import { ok, skipped, warning } from "./check.js";
const CLOCK_ANSWER_MS = 6e4;
const CONNECT_TIMEOUT_MS = 1e4;
function checksOf(context) {
  const { io, globals } = context;
  const connectMs = Math.min(globals.timeout ?? CONNECT_TIMEOUT_MS, CONNECT_TIMEOUT_MS);
  const results = {};
  const resultOf = (name) => {
    const value = results[name];
    if (value === void 0) throw new TypeError(`${name} is not known yet`);
    return value;
  };
  const overNetwork = (run) => async () => {
    const settings = resultOf("settings");
    if (settings === null || io.fetch !== void 0) return skipped("the service is inside this process");
    return run(requireBaseUrl(settings));
  };
  const redisCheck = {
    name: "redis",
    run: async () => {
      const redis = resultOf("settings")?.redis ?? null;
      if (redis === null) return skipped("--demo shares the service with no other process");
      return (await import("./redis.js")).checkRedis(context, redis);
    }
  };
  return [
    {
      name: "config",
      run: async () => {
        results.settings = globals.demo ? null : await readManagedSettings(context);
        if (results.settings === null) return skipped("--demo needs none");
        requireProfile(context, results.settings);
        requireBaseUrl(results.settings);
        const { folder } = results.settings;
        const problem = writeProblem(folder);
        if (problem === null) return ok(settingsText(results.settings));
        return warning(
          `${settingsText(results.settings)}; ${folder} cannot be written (${problem}), so no session is kept and turns are not shared`,
          "Correct its access rights, or set FLEET_CONFIG_DIR to a folder of your own."
        );
      }
    },
    // Only for those who use it.
    ...globals.redis ?? io.env.FLEET_REDIS_URL ? [redisCheck] : [],
    {
      name: "address",
      run: overNetwork(async (baseUrl) => (await import("./address.js")).checkAddress(baseUrl, io.env, connectMs))
    },
    {
      name: "proxy",
      run: overNetwork(async (baseUrl) => (await import("./proxy.js")).checkProxy(io.env, new URL(baseUrl)))
    },
    {
      name: "tls",
      run: overNetwork(
        async (baseUrl) => (await import("./certificate.js")).checkCertificate(baseUrl, io.env, now(context), connectMs)
      )
    },
    {
      name: "clock",
      run: async () => {
        const settings = resultOf("settings");
        results.options = settings ? await loginOptions(context, settings) : await demoOptions(context);
        const { fetch, baseUrl } = results.options;
        const { checkClock } = await import("./clock.js");
        const check = (send, atWrongScheme) => withTimeLimit(
          io.signal,
          globals.timeout ?? CLOCK_ANSWER_MS,
          (signal) => checkClock(send, baseUrl, () => now(context), signal, atWrongScheme)
        );
        if (fetch) return check(fetch, async () => null);
        const { checkWrongScheme } = await import("./certificate.js");
        const { shortLivedTransport } = await import("../connection/sdk.js");
        const http = shortLivedTransport(io.env);
        return check(
          (url, init) => http.fetch(url, init),
          () => checkWrongScheme(baseUrl, io.env, connectMs)
        ).finally(() => http.close());
      }
    },
    {
      name: "login",
      run: async () => {
        const options = resultOf("options");
        results.client = await open(context, options);
        const { checkLogin } = await import("./login.js");
        const { finding, users } = await checkLogin(context, results.client, resultOf("settings"), options.tokenStore);
        results.users = users;
        return finding;
      }
    },
    {
      name: "users",
      run: async () => {
        const { checkUsers } = await import("./login.js");
        const { finding, user } = checkUsers(context, resultOf("settings"), resultOf("users"));
        if (user) results.user = user;
        return finding;
      }
    },
    {
      name: "turn",
      run: async () => {
        const settings = resultOf("settings");
        if (settings === null) return skipped("--demo shares the service with no other process");
        if (settings.redis !== null) {
          const { checkTurnInRedis } = await import("./redis.js");
          return checkTurnInRedis(context, settings.redis, requireBaseUrl(settings), resultOf("user").userId);
        }
        const { checkTurn } = await import("./turn.js");
        return checkTurn(settings.folder, requireBaseUrl(settings), resultOf("user").userId);
      }
    },
    {
      name: "contract",
      run: async () => {
        const { checkContract } = await import("./contract.js");
        return checkContract(resultOf("client").forUser({ userId: resultOf("user").userId }), io.signal);
      }
    },
    {
      name: "data",
      run: async () => {
        const { checkData } = await import("./data.js");
        return checkData(resultOf("client").forUser({ userId: resultOf("user").userId }), io.signal, globals.timeout);
      }
    },
    {
      name: "packages",
      isIndependent: true,
      run: async () => (await import("./packages.js")).checkPackages(io)
    }
  ];
}
function settingsText({ folder, profile, profileName, baseUrl, username }) {
  const source = profile ? `profile ${profileName} in ${configPath(folder)}` : "no profile; from flags and environment";
  return `${baseUrl}${username === null ? "" : ` as ${username}`} (${source})`;
}
function writeProblem(folder) {
  try {
    rmSync(mkdtempSync(join(folder, ".check-")), { recursive: true });
    return null;
  } catch (error) {
    return errorCode(error) === "ENOENT" ? missingProblem(folder) : errorCode(error) ?? "unknown reason";
  }
}
function missingProblem(folder) {
  const above = dirname(folder);
  if (above === folder) return "ENOENT";
  try {
    accessSync(above, constants.W_OK);
    return null;
  } catch (error) {
    return errorCode(error) === "ENOENT" ? missingProblem(above) : errorCode(error) ?? "unknown reason";
  }
}
export {
  checksOf
};
