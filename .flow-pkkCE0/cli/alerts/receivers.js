import { readFileSync, statSync } from "node:fs";
import { isLoopback } from "../../core/base-url.js";
import { realTimers } from "../../core/ports.js";
import { requirePrivate } from "../connection/read-credentials.js";
import { now } from "../context/context.js";
import { CliError, refusal } from "../errors/cli-error.js";
import { refusedFile } from "../errors/unusable.js";
import { postAddress } from "./flags.js";
const SHORTEST_SECRET = 16;
async function receiversOf(context, flags) {
  const { io } = context;
  const receivers = [];
  refuseLonelyFlags(flags);
  if (flags.exec !== void 0) {
    if (flags.exec.trim() === "") throw refusal("--exec is empty.", { hint: "Give it a command of the shell." });
    const { execReceiver } = await import("./exec.js");
    receivers.push(execReceiver({ command: flags.exec, env: io.env, output: io.stderr, timers: realTimers }));
  }
  if (flags.post !== void 0) {
    const url = postAddress(flags.post === true ? io.env.FLEET_WEBHOOK_URL ?? "" : flags.post);
    const secret = secretOf(context, flags);
    if (url.protocol === "http:" && !isLoopback(url)) {
      context.report.warn(`The address of --post is not https: others on the network can read positions and names.`);
    }
    const [{ postReceiver }, transport] = await Promise.all([import("./post.js"), transportOf(context)]);
    receivers.push(postReceiver({ url, secret, transport, timers: realTimers, now: () => now(context) }));
  }
  return receivers;
}
function refuseLonelyFlags({ exec, post, secretFile, unsigned, retryFor }) {
  const given = secretFile !== void 0 ? "--secret-file" : unsigned ? "--unsigned" : null;
  if (given !== null && post === void 0) throw refusal(`${given} needs --post.`);
  if (retryFor !== void 0 && post === void 0 && exec === void 0) {
    throw refusal("--retry-for needs --post or --exec.");
  }
}
function secretOf({ io }, { secretFile, unsigned }) {
  const fromEnvironment = io.env.FLEET_WEBHOOK_SECRET?.trim();
  if (unsigned) {
    if (secretFile === void 0) return null;
    throw refusal("Give either --secret-file or --unsigned.");
  }
  const secret = secretFile === void 0 ? fromEnvironment : textOfFile(secretFile);
  if (secret && secret.length < SHORTEST_SECRET) {
    throw refusal(`The secret of --post has ${secret.length} characters, so it can be guessed.`, {
      hint: `Use ${SHORTEST_SECRET} or more; \`openssl rand -hex 32\` makes a secret.`
    });
  }
  if (secret) return secret;
  throw refusal(secretFile === void 0 ? "--post needs a secret to sign with." : "The secret file is empty.", {
    hint: "Set FLEET_WEBHOOK_SECRET, or name a file with --secret-file; `openssl rand -hex 32` makes a secret. --unsigned posts without one."
  });
}
function textOfFile(path) {
  try {
    requirePrivate(path, statSync(path), void 0, "secret file");
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw refusedFile(`secret file ${path}`, "read", error);
  }
}
async function transportOf({ io, service }) {
  if (io.fetch !== void 0) {
    const { customFetchTransport } = await import("../../transport/custom-fetch.js");
    return customFetchTransport(io.fetch);
  }
  const { shortLivedTransport } = await import("../connection/sdk.js");
  const transport = shortLivedTransport(io.env);
  service.onEnd(() => transport.close());
  return transport;
}
export {
  receiversOf
};
