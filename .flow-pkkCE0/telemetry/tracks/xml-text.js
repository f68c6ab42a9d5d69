const illegal = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
const special = /[&<>"'\t\r\u007f-\u009f\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const named = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;"
};
function xmlText(text) {
  return text.replace(illegal, "").replace(special, (character) => named[character] ?? `&#x${character.charCodeAt(0).toString(16)};`);
}
function decimalText(value) {
  const text = String(value);
  if (!text.includes("e")) return text;
  return value.toFixed(12).replace(/\.?0+$/, "").replace(/^-0$/, "0");
}
export {
  decimalText,
  xmlText
};
