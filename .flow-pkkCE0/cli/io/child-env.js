const secrets = /* @__PURE__ */ new Set([
  "FLEET_PASSWORD",
  "FLEET_CREDENTIAL_COMMAND",
  "FLEET_REDIS_KEY",
  "FLEET_REDIS_URL",
  "FLEET_WEBHOOK_SECRET",
  "FLEET_WEBHOOK_URL",
  "PGPASSWORD"
]);
function childEnv(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secrets.has(name.toUpperCase())));
}
function bareEnv() {
  const { NODE_OPTIONS } = process.env;
  return process.versions.pnp === void 0 || NODE_OPTIONS === void 0 ? {} : { NODE_OPTIONS };
}
export {
  bareEnv,
  childEnv
};
