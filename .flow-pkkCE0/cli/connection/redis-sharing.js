import { fileGate } from "../../locks/file-gate.js";
import { redisGate } from "../../redis/redis-gate.js";
import { redisTokenStore } from "../../redis/redis-token-store.js";
import { CliError } from "../errors/cli-error.js";
const REDIS_CONNECT_MS = 2e3;
function redisAddress(url) {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^rediss?:$/.test(parsed.protocol) || parsed.hostname === "") {
    throw new CliError("CONFIGURATION", "The address of Redis is not valid.", {
      hint: "Write it as redis://host:6379/0, or rediss:// with TLS (--redis or FLEET_REDIS_URL)."
    });
  }
  return `${parsed.protocol}//${parsed.host}${parsed.pathname === "/" ? "" : parsed.pathname}`;
}
function isUnencrypted(run) {
  return run.io.env.FLEET_REDIS_KEY === "none";
}
async function redisSharing(context, settings) {
  const keys = (context.io.env.FLEET_REDIS_KEY ?? "").split(",").filter((key) => key.trim() !== "");
  if (keys.length === 0) {
    throw new CliError(
      "CONFIGURATION",
      "FLEET_REDIS_KEY is not set: sessions are stored in Redis only with encryption.",
      {
        hint: "Set it to the output of `openssl rand -base64 32`, the same on all machines. With FLEET_REDIS_KEY=none the tokens are stored in clear."
      }
    );
  }
  const client = await connectRedis(context, settings.redis);
  const onWarning = ({ message }) => context.report.warn(message);
  const gate = redisGate(client, { fallback: fileGate({ directory: settings.folder }), onWarning });
  try {
    const tokenStore = redisTokenStore(client, {
      ...isUnencrypted(context) ? { unencrypted: true } : { encryptionKey: keys },
      ...context.io.clock ? { clock: context.io.clock } : {},
      // The gate reports the outage.
      onWarning: (event) => {
        if (event.code === "SESSION_STORE") onWarning(event);
      }
    });
    context.service.onEnd(() => Promise.all([gate.close(), tokenStore.close()]).then(() => client.disconnect()));
    return { gate, tokenStore };
  } catch (error) {
    client.disconnect();
    throw new CliError("CONFIGURATION", "FLEET_REDIS_KEY is not a key.", {
      hint: "It is 32 random bytes in base64 or hex, as `openssl rand -base64 32` prints them; several are separated by commas.",
      cause: error
    });
  }
}
async function connectRedis(run, url) {
  const address = redisAddress(url);
  const { Redis: Client } = await import("ioredis");
  const client = new Client(url, {
    lazyConnect: true,
    connectTimeout: REDIS_CONNECT_MS,
    // The gate decides how long a command may take.
    maxRetriesPerRequest: null,
    retryStrategy: (tries) => Math.min(1e3, tries * 100)
  });
  let reason = "";
  client.on("error", (error) => {
    reason ||= codeOf(error);
  });
  const stop = () => client.disconnect();
  const timer = setTimeout(stop, REDIS_CONNECT_MS);
  run.io.signal.addEventListener("abort", stop, { once: true });
  try {
    await client.connect();
    await client.ping();
    return client;
  } catch (error) {
    stop();
    throw new CliError("NETWORK", `Redis at ${address} cannot be used (${reason || codeOf(error) || "no answer"}).`, {
      hint: "Check the address, user and password in --redis or FLEET_REDIS_URL. Without them, commands share turns and session on this machine only."
    });
  } finally {
    clearTimeout(timer);
    run.io.signal.removeEventListener("abort", stop);
  }
}
function codeOf(error) {
  if (!(error instanceof Error)) return "";
  const code = Reflect.get(error, "code");
  if (typeof code === "string" && /^[A-Z_]+$/.test(code)) return code;
  return /^([A-Z]{3,})(?: |$)/.exec(error.message)?.[1] ?? "";
}
export {
  connectRedis,
  isUnencrypted,
  redisAddress,
  redisSharing
};
