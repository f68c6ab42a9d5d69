import { hashedName } from "../../core/hashed-name.js";
function credentialSource(env, ofProfile) {
  return (env.FLEET_USERNAME ? passwordSource(env) : null) ?? commandSource(env, ofProfile);
}
function passwordSource({ FLEET_PASSWORD, FLEET_PASSWORD_FILE }) {
  if (FLEET_PASSWORD) return { kind: "password", password: FLEET_PASSWORD };
  return FLEET_PASSWORD_FILE ? { kind: "file", path: FLEET_PASSWORD_FILE } : null;
}
function commandSource({ FLEET_CREDENTIAL_COMMAND }, ofProfile) {
  if (FLEET_CREDENTIAL_COMMAND) return { kind: "command", command: FLEET_CREDENTIAL_COMMAND, isOfProfile: false };
  return ofProfile ? { kind: "command", command: ofProfile, isOfProfile: true } : null;
}
function sourceText(source) {
  if (source.kind === "password") return "FLEET_USERNAME and FLEET_PASSWORD";
  if (source.kind === "file") return "FLEET_USERNAME and FLEET_PASSWORD_FILE";
  return source.isOfProfile ? "credential-command of the profile" : "FLEET_CREDENTIAL_COMMAND";
}
function loginKeyOf(username, source) {
  return username ?? (source?.kind === "command" ? `credential-command ${hashedName(source.command)}` : null);
}
export {
  commandSource,
  credentialSource,
  loginKeyOf,
  passwordSource,
  sourceText
};
