import { readFileSync } from "node:fs";
import { refusedFile } from "../errors/unusable.js";
import { readStdinBytes } from "./read-stdin.js";
async function readInputText(run, source) {
  return (await readBytes(run, source)).toString("utf8");
}
async function readBytes(run, source) {
  if (source === "-") return readStdinBytes(run);
  const path = source.slice(1);
  try {
    return readFileSync(path);
  } catch (error) {
    throw refusedFile(`file ${path}`, "read", error);
  }
}
export {
  readBytes,
  readInputText
};
