import stringWidth from "string-width";
import { columnsOf } from "./io.js";
function wrap(text, width) {
  if (width === void 0 || stringWidth(text) <= width) return [text];
  const lines = [];
  let line = "";
  for (const word of unitsOf(text, width)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && stringWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line].map((one) => one.trimEnd());
}
function unitsOf(text, width) {
  const units = [];
  let open = [];
  for (const word of text.split(" ")) {
    open.push(word);
    const unit = open.join(" ");
    if (unit.split("`").length % 2 === 0) continue;
    units.push(...stringWidth(unit) <= width ? [unit] : open);
    open = [];
  }
  return [...units, ...open];
}
function wrapFor(stream, text) {
  if (stream.isTTY !== true) return text;
  const width = columnsOf(stream);
  const lines = text.split("\n").flatMap((line) => {
    const [indent = ""] = /^ */.exec(line) ?? [];
    return wrap(line.slice(indent.length), width - indent.length).map((part) => indent + part);
  });
  return lines.join("\n");
}
export {
  wrap,
  wrapFor
};
