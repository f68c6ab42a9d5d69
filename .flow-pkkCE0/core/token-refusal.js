import { classificationOf } from "./errors.js";
const CODES = [
  "UNAUTHORIZED",
  "UNAUTHENTICATED",
  "INVALID_TOKEN",
  "TOKEN_EXPIRED",
  "EXPIRED_TOKEN",
  "INVALID-JWT",
  "INVALID_JWT",
  "JWT_EXPIRED"
];
const MESSAGE = /^(unauthori[sz]ed|unauthenticated|not authenticated|(could not verify jwt: jwt ?expired)|((jwt|token|access token) ?(is |has )?(expired|invalid))|(invalid|expired) ((access )?token|jwt))[.!]?$/i;
function refusesToken(error) {
  const codes = [classificationOf(error), error.extensions?.code];
  return codes.some((code) => typeof code === "string" && CODES.includes(code.toUpperCase())) || MESSAGE.test(error.message);
}
function isTokenError(challenge, text) {
  return /\berror="?(invalid_token|expired_token)\b/i.test(challenge ?? "") || hasTokenError(parsed(text));
}
function hasTokenError(body) {
  if (typeof body !== "object" || body === null) return false;
  const words = ["error", "code", "error_code"].map((name) => Reflect.get(body, name));
  if (words.some((word) => typeof word === "string" && CODES.includes(word.toUpperCase()))) return true;
  const errors = Reflect.get(body, "errors");
  return Array.isArray(errors) && errors.some((entry) => isEntry(entry) && refusesToken(entry));
}
function isEntry(value) {
  return typeof value === "object" && value !== null && "message" in value && typeof value.message === "string";
}
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
export {
  isTokenError,
  refusesToken
};
