import { unusableInput } from "./read-input.js";
const inputFormats = ["json", "ndjson", "yaml", "csv", "tsv", "xlsx"];
const endings = {
  json: "json",
  ndjson: "ndjson",
  jsonl: "ndjson",
  yaml: "yaml",
  yml: "yaml",
  csv: "csv",
  tsv: "tsv",
  xlsx: "xlsx"
};
function formatOfFile(name) {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(endings, ending) ? endings[ending] ?? null : null;
}
function decodeInput(bytes) {
  if (isArchive(bytes)) {
    throw unusableInput("it is a workbook or a ZIP archive", "Give --input-format xlsx for a workbook.");
  }
  const encoding = utf16Of(bytes) ?? declaredEncoding(bytes);
  if (encoding !== null) {
    const text = encoding === "windows-1252" ? decodeWindows1252(bytes) : new TextDecoder(encoding).decode(bytes);
    return { text, note: null };
  }
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), note: null };
  } catch {
    const line = `line ${lineOfFlaw(bytes)} is not UTF-8`;
    const text = decodeWindows1252(bytes);
    if (isUsualText(text)) {
      return { text, note: `The file was read as Windows-1252: ${line}. If letters are wrong, save it as UTF-8.` };
    }
    throw unusableInput(line, 'Save it as UTF-8. In Excel this is "CSV UTF-8 (comma delimited)".');
  }
}
function utf16Of(bytes) {
  const [first, second] = bytes;
  if (first === 255 && second === 254) return "utf-16le";
  if (first === 254 && second === 255) return "utf-16be";
  return unmarkedUtf16(bytes);
}
function declaredEncoding(bytes) {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  const label = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'>]*)["']/.exec(start)?.[1];
  if (label === void 0) return null;
  try {
    const { encoding } = new TextDecoder(label);
    return /^utf-/.test(encoding) ? null : encoding;
  } catch {
    throw unusableInput(`it declares the encoding "${label}", which is unknown`, "Save it as UTF-8.");
  }
}
const above7f = "\u20AC\x81\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\x8D\u017D\x8F\x90\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\x9D\u017E\u0178";
function decodeWindows1252(bytes) {
  const latin1 = Buffer.from(bytes).toString("latin1");
  return latin1.replace(/[\u0080-\u009f]/g, (character) => above7f[character.charCodeAt(0) - 128] ?? character);
}
function isUsualText(text) {
  return !/[^\P{Cc}\t\r\n]|[ÐðÞþ]|\p{L}[^\p{ASCII}\p{L}\u00a0´‘’–—·]\p{L}|\p{Ll}[^\P{Lu}A-Z]|\p{L}[^\P{Lu}A-Z]\p{Ll}/u.test(
    text
  );
}
function unmarkedUtf16(bytes) {
  const zeros = [0, 0];
  const start = bytes.subarray(0, 512);
  for (const [at, byte] of start.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) < start.length / 4 || Math.min(even, odd) > 0) return null;
  return odd > even ? "utf-16le" : "utf-16be";
}
function isArchive([first, second, third, fourth]) {
  return first === 80 && second === 75 && third === 3 && fourth === 4;
}
function lineOfFlaw(bytes) {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for (let line = 1, from = 0; ; line++) {
    const end = bytes.indexOf(10, from);
    try {
      decoder.decode(bytes.subarray(from, end < 0 ? void 0 : end));
    } catch {
      return line;
    }
    if (end < 0) return line;
    from = end + 1;
  }
}
export {
  decodeInput,
  formatOfFile,
  inputFormats,
  isArchive
};
