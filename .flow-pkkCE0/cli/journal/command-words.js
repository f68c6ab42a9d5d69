import { isSecretName } from "./secrets.js";
const secretive = /* @__PURE__ */ new Set(["tokens", "api"]);
function wordsForJournal(command, filters, hasSecret) {
  const path = pathOf(command);
  const values = [...command.args, ...filters, ...Object.values(command.opts()).flat()];
  const isSecretive = hasSecret || secretive.has(path[0] ?? "") || values.some((one) => isSecretName(String(one)));
  const flags = command.options.flatMap((option) => {
    const name = option.attributeName();
    if (command.getOptionValueSource(name) !== "cli") return [];
    const value = command.getOptionValue(name);
    const flag = value === false ? `--no-${option.name().replace(/^no-/, "")}` : option.long ?? option.flags;
    if (typeof value === "boolean") return option.negate === !value ? [flag] : [];
    const values2 = (Array.isArray(value) ? value : [value]).filter((one) => ["string", "number"].includes(typeof one));
    return isSecretive ? [flag] : values2.flatMap((one) => [flag, quoted(String(one))]);
  });
  const names = isSecretive ? [] : command.args.map(quoted);
  const chosen = filters.flatMap((one) => isSecretive ? ["--filter"] : ["--filter", quoted(one)]);
  return [...path, ...names, ...flags, ...chosen].join(" ");
}
function pathOf(command) {
  return command.parent ? [...pathOf(command.parent), command.name()] : [];
}
function quoted(word) {
  return /^[\w./:@,+=-]+$/.test(word) ? word : JSON.stringify(word);
}
export {
  wordsForJournal
};
