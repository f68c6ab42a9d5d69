import { readFileSync } from "node:fs";
import { isHelpTopic } from "../help/topic-names.js";
const PREBUILT_HELP_COLUMNS = 80;
function prebuiltHelp(words, columns) {
  const name = requestedHelp(words);
  if (name === null || (columns || PREBUILT_HELP_COLUMNS) !== PREBUILT_HELP_COLUMNS) return null;
  try {
    return readFileSync(new URL(`../help/${name}.txt`, import.meta.url), "utf8");
  } catch {
    return null;
  }
}
function requestedHelp(words) {
  const [first = "", second, third] = words;
  if (third !== void 0) return null;
  if (second === void 0) return first === "help" || isHelpFlag(first) ? "fleet" : null;
  if (first === "help" && /^[a-z-]+$/.test(second)) return isHelpTopic(second) ? `help-${second}` : second;
  return isHelpFlag(second) && /^[a-z]+$/.test(first) && first !== "fleet" ? first : null;
}
function isHelpFlag(word) {
  return word === "--help" || word === "-h";
}
export {
  prebuiltHelp
};
