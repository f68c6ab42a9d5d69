import { InvalidInputError } from "../core/errors.js";
function proxySettings(env) {
  return {
    httpProxy: addressIn(env, "http_proxy"),
    httpsProxy: addressIn(env, "https_proxy"),
    noProxy: env[nameIn(env, "no_proxy")]
  };
}
function hasProxy({ httpProxy, httpsProxy }) {
  return httpProxy !== void 0 || httpsProxy !== void 0;
}
function nameIn(env, name) {
  return env[name] ? name : name.toUpperCase();
}
function addressIn(env, variable) {
  const name = nameIn(env, variable);
  const value = env[name]?.trim();
  if (!value) return void 0;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (URL.canParse(address) && new URL(address).hostname !== "") return address;
  throw new InvalidInputError(
    `The environment variable ${name} must be the address of a proxy, such as http://host:3128. Correct or unset it.`
  );
}
export {
  hasProxy,
  proxySettings
};
