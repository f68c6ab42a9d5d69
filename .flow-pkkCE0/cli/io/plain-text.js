const joiningScripts = [
  ...["Arabic", "Syriac", "Mongolian", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu"],
  ...["Kannada", "Malayalam", "Sinhala", "Khmer", "Myanmar", "Tibetan"]
];
const joining = `[${joiningScripts.map((script) => `\\p{Script=${script}}`).join("")}]`;
const misplacedJoiner = [
  `(?<!${joining}|[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])[\\u200c\\u200d]`,
  `[\\u200c\\u200d](?!${joining}|\\p{Extended_Pictographic})`
].join("|");
const unsafeCharacters = [
  "[\\p{Cc}\\p{Cs}\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f",
  "\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}]"
].join("");
let unsafe;
function unsafePattern() {
  unsafe ??= new RegExp(`${unsafeCharacters}|${misplacedJoiner}`, "gu");
  return unsafe;
}
const PRINTABLE_ASCII = /^[ -~]*$/;
function escapeOf(character) {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index)).map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
function plainText(text) {
  if (PRINTABLE_ASCII.test(text)) return text;
  return text.replace(
    unsafePattern(),
    (character) => /[\t\n\v\f\r\u0085\u2028\u2029]/.test(character) ? " " : escapeOf(character)
  );
}
function plainLines(text) {
  return text.split("\n").map(plainText).join("\n");
}
function escapeControls(text) {
  return PRINTABLE_ASCII.test(text) ? text : text.replace(unsafePattern(), escapeOf);
}
function hasControls(text) {
  return !PRINTABLE_ASCII.test(text) && text.search(unsafePattern()) >= 0;
}
function withoutControls(text) {
  if (PRINTABLE_ASCII.test(text)) return text;
  return text.replace(unsafePattern(), (character) => /[\t\n\v\f\r\u0085\u2028\u2029]/.test(character) ? " " : "");
}
export {
  escapeControls,
  hasControls,
  plainLines,
  plainText,
  withoutControls
};
