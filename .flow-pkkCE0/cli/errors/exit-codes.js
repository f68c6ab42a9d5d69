import { CommanderError } from "commander";
import { classificationOf, FleetError } from "../../core/errors.js";
import { isTransient } from "../../core/http-status.js";
import { GIVEN_TWICE } from "../help/documented-command.js";
import { CliError } from "./cli-error.js";
import { hintFor, messageFor } from "./error-messages.js";
const exitCodes = {
  UNEXPECTED: 1,
  SYNC_TARGET: 1,
  TRANSPORT: 1,
  CLOSED: 1,
  HEADERS: 1,
  USAGE: 2,
  AMBIGUOUS_NAME: 2,
  INVALID_INPUT: 2,
  CONFIGURATION: 3,
  TOKEN_STORE: 3,
  USER_SELECTION: 3,
  AUTHENTICATION: 4,
  CREDENTIALS: 4,
  SESSION_EXPIRED: 4,
  NOT_FOUND: 5,
  GRAPHQL: 6,
  HTTP: 6,
  PROTOCOL: 6,
  RESPONSE_TOO_LARGE: 6,
  INCOMPLETE_STREAM: 6,
  RATE_LIMIT: 7,
  QUEUE_FULL: 7,
  IN_USE: 7,
  NETWORK: 8,
  TIMEOUT: 8,
  GATE: 8,
  AMBIGUOUS_MUTATION: 9,
  ABORTED: 130
};
const DIFFERENCES = 10;
function commandFailureOf(error, interrupted, timeoutMs, proxy = null) {
  const settings = { timeoutMs, proxy };
  if (interrupted || isAbort(error)) return interruption(error, settings);
  if (error instanceof CommanderError) return usageFailure(error);
  if (isClosedPipe(error)) return failure("CLOSED_PIPE", 0, "The reader closed the pipe.", error);
  if (error instanceof CliError) {
    return {
      ...failure(error.code, exitCodeOf(error.code, error.httpStatus ?? null), error.message, error),
      details: error.details,
      reason: error.reason,
      operation: error.operation ?? null,
      hint: error.hint ?? null,
      choices: error.choices
    };
  }
  if (isStackOverflow(error)) {
    const text = "The service sent a value that is nested too deeply to be printed.";
    return { ...failure("PROTOCOL", exitCodes.PROTOCOL, text, error), hint: "Ask for fewer fields with --fields." };
  }
  if (!FleetError.is(error)) {
    const message2 = error instanceof Error ? error.message : String(error);
    const unexpected = failure("UNEXPECTED", exitCodes.UNEXPECTED, `Unexpected error: ${message2}`, error);
    return { ...unexpected, hint: "Run it again with --verbose to see the stack trace." };
  }
  if (error.code === "CREDENTIALS" && error.cause instanceof CliError) {
    return commandFailureOf(error.cause, interrupted, timeoutMs, proxy);
  }
  const message = messageFor(error, settings);
  const said = error.code === "GRAPHQL" || error.code === "HTTP" ? error.serviceErrors : [];
  const details = messagesOf(said);
  const isNotFound2 = said.length > 0 && said.every((entry) => classificationOf(entry) === "NOT_FOUND");
  const code = isNotFound2 ? "NOT_FOUND" : error.code;
  return {
    ...failure(code, exitCodeOf(code, error.code === "HTTP" ? error.status : null), message, error),
    details,
    reason: error.code === "GRAPHQL" && said.length > 0 ? shortMessageOf(said) : [message, ...details].join(" "),
    operation: error.operation,
    responseId: error.responseId,
    hint: hintFor(error, settings),
    choices: error.code === "USER_SELECTION" ? error.choices.map((user) => ({ ...user })) : void 0
  };
}
function isNotFound(error) {
  return commandFailureOf(error, false).code === "NOT_FOUND";
}
function mayBeMade(error) {
  const { code } = commandFailureOf(error, false);
  if (FleetError.is(error) && error.code === "GRAPHQL")
    return error.serviceErrors.some(({ path }) => (path?.length ?? 0) > 1);
  if (code === "HTTP") return FleetError.is(error) && error.code === "HTTP" && error.status >= 500;
  return ["AMBIGUOUS_MUTATION", "PROTOCOL", "RESPONSE_TOO_LARGE", "UNEXPECTED"].includes(code);
}
function exitCodeOf(code, status) {
  return code === "HTTP" && status !== null && isTransient(status) ? exitCodes.NETWORK : exitCodes[code];
}
function failure(code, exitCode, message, error) {
  return {
    exitCode,
    code,
    message,
    details: [],
    reason: message,
    operation: null,
    responseId: null,
    hint: null,
    choices: void 0,
    error
  };
}
function interruption(error, settings) {
  const aborted = failure("ABORTED", 130, "Interrupted.", error);
  if (error instanceof CliError && error.code === "ABORTED") return { ...aborted, hint: error.hint ?? null };
  if (!FleetError.is(error) || error.code !== "AMBIGUOUS_MUTATION") return aborted;
  const message = `Interrupted. ${messageFor(error, settings)}`;
  const { operation, responseId } = error;
  return { ...aborted, message, reason: message, operation, responseId, hint: hintFor(error, settings) };
}
function usageFailure(error) {
  if (error.exitCode === 0 || error.code === "commander.help") return failure("HELP", 0, "", error);
  const said = error.message.replace(/^error: /, "");
  const message = error.code === "commander.unknownOption" ? said.replace(/=.*(?=')/s, "") : said;
  return {
    ...failure(
      "USAGE",
      exitCodes.USAGE,
      `${message.charAt(0).toUpperCase()}${message.slice(1)}.`.replace(/\.\.$/, "."),
      error
    ),
    hint: wayOut(error)
  };
}
function wayOut({ code }) {
  if (code === GIVEN_TWICE) return "Only one of its values would count: leave out the other.";
  return code === "commander.unknownCommand" ? "`fleet --help` lists the commands, and `fleet <command> --help` what belongs to one." : "Add --help to see the arguments and flags of the command.";
}
function isAbort(error) {
  return error instanceof Error && error.name === "AbortError";
}
function isClosedPipe(error) {
  return error instanceof Error && Reflect.get(error, "code") === "EPIPE";
}
function messagesOf(errors) {
  return errors.map((entry) => messageAt(entry, 1));
}
function shortMessageOf(errors) {
  return errors.map((entry) => messageAt(entry, 2)).join(" ");
}
function messageAt(entry, members) {
  const path = Array.isArray(entry?.path) && entry.path.length >= members ? ` (at ${entry.path.join(".")})` : "";
  return `${entry?.message ?? "no message"}${path}`;
}
function isStackOverflow(error) {
  return error instanceof RangeError && /call stack/i.test(error.message);
}
export {
  DIFFERENCES,
  commandFailureOf,
  isNotFound,
  mayBeMade,
  messagesOf,
  shortMessageOf
};
