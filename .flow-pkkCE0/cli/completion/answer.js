import { readFileSync } from "node:fs";
import { configFolder } from "../../core/config-folder.js";
import { configPath, deserialize, parseConfig } from "../config/config-file.js";
import { write } from "../io/io.js";
import { plainText } from "../io/plain-text.js";
import { complete } from "./complete.js";
async function answer(io, program, words, load, contextOf) {
  const found = await complete(program, words, {
    load,
    profiles: async () => profilesIn(io),
    names: async (kind, flags) => (await import("./names.js")).namesOf(contextOf(flags), kind),
    fieldsOf: async (path, command) => (await import("./rows-of-command.js")).rowsOfCommand(path, command)
  }).catch(() => ({ candidates: [], files: false }));
  const lines = found.candidates.map(({ value, about }) => `${plainText(value)}	${plainText(firstSentence(about))}
`);
  await write(io.stdout, `${lines.join("")}:${found.files ? "files" : ""}
`);
}
function profilesIn({ env }) {
  const { profiles } = parseConfig(deserialize(readFileSync(configPath(configFolder(env)), "utf8"))) ?? {};
  return [...profiles ?? []].map(([value, { username, baseUrl }]) => ({
    value,
    about: [username, baseUrl].filter((text) => text !== null).join(" at ")
  }));
}
function firstSentence(text) {
  return text.split("\n")[0]?.replace(/[;(].*$/, "").trim() ?? "";
}
export {
  answer
};
