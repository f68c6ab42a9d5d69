import { readFileSync, statSync } from "node:fs";
import { errorCode } from "../../core/error-code.js";
import { isObject } from "../../core/json.js";
import { sourceText } from "../config/credential-source.js";
import { CliError } from "../errors/cli-error.js";
async function credentialsFrom(run, source, username) {
  const read = source.kind === "command" ? await fromCommand(run, source) : { password: passwordFrom(source) };
  const name = read.username ?? username;
  if (name === null) {
    throw new CliError("CONFIGURATION", `${sourceText(source)} gives a password and no user name.`, {
      hint: 'Give --username to `fleet login`, set FLEET_USERNAME, or let the command print {"username": "\u2026", "password": "\u2026"}.'
    });
  }
  if (username !== null && name !== username) {
    throw new CliError("CONFIGURATION", `${sourceText(source)} gives the login of "${name}", not of "${username}".`, {
      hint: "Give the same user name in both places, or leave out FLEET_USERNAME."
    });
  }
  return { username: name, password: read.password };
}
async function fromCommand(run, source) {
  const { outputOfCommand } = await import("./credential-command.js");
  const text = decoded(await outputOfCommand(run, source));
  const json = text.trimStart().startsWith("{") ? parsed(text) : null;
  if (json === null) return { password: onlyLine(text, source, "The output of") };
  const { username, password } = json;
  if (typeof password === "string" && password !== "" && (username === void 0 || isName(username))) {
    return { username, password };
  }
  throw new CliError("CONFIGURATION", `The output of ${sourceText(source)} is JSON without a password.`, {
    hint: 'It is {"username": "\u2026", "password": "\u2026"}, both text, or the password alone.'
  });
}
function parsed(text) {
  try {
    const value = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
function isName(value) {
  return typeof value === "string" && value !== "";
}
function passwordFrom(source) {
  if (source.kind === "password") return source.password;
  const { path } = source;
  let bytes;
  try {
    requirePrivate(path, statSync(path));
    bytes = readFileSync(path);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(
      "CONFIGURATION",
      `The password file ${path} cannot be read (${errorCode(error) ?? "unknown reason"}).`,
      { hint: "FLEET_PASSWORD_FILE names a file that contains the password and nothing else.", cause: error }
    );
  }
  return onlyLine(decoded(bytes), source, `The password file ${path}, named by`);
}
function currentUid() {
  return process.getuid?.() ?? null;
}
function requirePrivate(path, { mode, uid }, user = currentUid(), file = "password file") {
  if (user === null) return;
  if (uid !== user && uid !== 0) {
    throw new CliError("CONFIGURATION", `The ${file} ${path} belongs to another user of this machine.`, {
      hint: "Become its owner with chown, or make a file of your own."
    });
  }
  const forbidden = uid === 0 ? 31 : 63;
  if ((mode & forbidden) === 0) return;
  const shown = (mode & 511).toString(8).padStart(4, "0");
  throw new CliError("CONFIGURATION", `Other users can access the ${file} ${path} (${shown}).`, {
    hint: uid === 0 ? `Run chmod 0640 ${path}, or 0600.` : `Run chmod 0600 ${path}.`
  });
}
function onlyLine(text, source, what) {
  const line = text.replace(/[\r\n]+$/, "");
  if (line !== "" && !/[\r\n]/.test(line)) return line;
  const problem = line === "" ? "is empty" : "has more than one line";
  throw new CliError("CONFIGURATION", `${what} ${sourceText(source)} ${problem}.`, {
    hint: "It is the password and nothing else; a line break at its end does not count."
  });
}
function decoded(bytes) {
  return new TextDecoder(bytes[0] === 255 && bytes[1] === 254 ? "utf-16le" : "utf-8").decode(bytes);
}
export {
  credentialsFrom,
  requirePrivate
};
