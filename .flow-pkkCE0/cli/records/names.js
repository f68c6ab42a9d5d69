const invisible = /[\u00AD\u200B\u2060\uFEFF]/g;
const leadingZeros = /(?<!\d)(?<!\d[.,])0+(?=\d)/g;
function caseless(text) {
  return text.normalize("NFC").replace(invisible, "").toUpperCase().toLowerCase().normalize("NFC");
}
function comparable(text, form) {
  const plain = caseless(text).replace(/\s+/g, " ").trim();
  const hasNumbers = form === "name" || form === "code" && /^\d+$/.test(plain);
  return hasNumbers ? plain.replace(leadingZeros, "") : plain;
}
function isSameText(one, other, form) {
  return one === other || comparable(one, form) === comparable(other, form);
}
function hasPart(text, part, form) {
  const [whole, wanted] = [comparable(text, form), comparable(part, form)];
  if (wanted === "") return false;
  for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1)) {
    if (!cutsNumber(whole, at) && !cutsNumber(whole, at + wanted.length)) return true;
  }
  return false;
}
function cutsNumber(text, at) {
  return /^\d\d$/.test(text.slice(Math.max(0, at - 1), at + 1));
}
function withoutSeparators(text, form) {
  return comparable(comparable(text, form).replace(/[\s_-]+/g, ""), form);
}
export {
  caseless,
  comparable,
  hasPart,
  isSameText,
  withoutSeparators
};
