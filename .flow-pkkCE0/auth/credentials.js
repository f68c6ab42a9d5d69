import { CredentialsError, FleetError } from "../core/errors.js";
const withOwnKeys = /* @__PURE__ */ new WeakSet();
function withOwnKey(source) {
  withOwnKeys.add(source);
  return source;
}
function hasOwnKey(source) {
  return withOwnKeys.has(source);
}
function isCredentials(value) {
  if (typeof value !== "object" || value === null) return false;
  const { username, password } = value;
  return typeof username === "string" && username !== "" && typeof password === "string" && password !== "";
}
async function readCredentials(source) {
  if (typeof source !== "function") return source;
  let credentials;
  try {
    credentials = await source();
  } catch (error) {
    if (FleetError.is(error)) throw error;
    throw new CredentialsError(
      "The credentials function failed, so there are no credentials to log in with: error.cause is what it threw. Make the call again when the function works.",
      { operation: "login", cause: error }
    );
  }
  if (!isCredentials(credentials)) {
    throw new CredentialsError(
      "The credentials function must return { username, password }, two non-empty strings. There are no credentials to log in with.",
      { operation: "login" }
    );
  }
  return credentials;
}
export {
  hasOwnKey,
  isCredentials,
  readCredentials,
  withOwnKey
};
