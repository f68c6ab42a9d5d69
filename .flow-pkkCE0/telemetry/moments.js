import { finerTimeOf, timestampMs, timestampOf } from "./timestamps.js";
class Moments {
  /** The newest one. */
  #timestamp = "";
  #isPlain = false;
  /** The rows of the newest millisecond: nearly always one. */
  #first = null;
  #others = [];
  add(row, timestamp) {
    if (typeof row !== "object" || row === null) return;
    setOrdinal(row, 0);
    if (timestamp === null) return;
    const isPlain = isPlainText(timestamp);
    const isSame = timestamp === this.#timestamp || !(isPlain && this.#isPlain) && isSameMoment(timestamp, this.#timestamp);
    if (isSame && this.#first !== null) this.#others.push(row);
    else {
      this.end();
      this.#first = row;
      this.#timestamp = timestamp;
      this.#isPlain = isPlain;
    }
  }
  /** All rows of the newest millisecond are there. */
  end() {
    if (this.#first === null || this.#others.length === 0) return;
    const [other, another] = this.#others;
    if (other && !another) {
      this.#others = [];
      const order = compareRows(this.#first, other);
      setOrdinal(order <= 0 ? other : this.#first, 1);
      return;
    }
    const rows = [this.#first, ...this.#others].sort(compareRows);
    this.#others = [];
    for (const [at, row] of rows.entries()) setOrdinal(row, at);
  }
}
const SECONDS_LENGTH = "2026-03-01T12:00:00".length;
const MILLISECONDS_LENGTH = "2026-03-01T12:00:00.000".length;
const POINT = 46;
const LETTER_Z = 90;
function isPlainText(timestamp) {
  return typeof timestamp === "string" && timestamp.length === MILLISECONDS_LENGTH + 1 && timestamp.charCodeAt(SECONDS_LENGTH) === POINT && timestamp.charCodeAt(MILLISECONDS_LENGTH) === LETTER_Z;
}
function isSameMoment(one, other) {
  return hasMilliseconds(one) && hasMilliseconds(other) && haveSameOffset(one, other) ? one.startsWith(other.slice(0, MILLISECONDS_LENGTH)) : timestampMs(one) === timestampMs(other);
}
function hasMilliseconds(timestamp) {
  return typeof timestamp === "string" && timestamp.length > MILLISECONDS_LENGTH && timestamp.charCodeAt(SECONDS_LENGTH) === POINT;
}
function haveSameOffset(one, other) {
  return one.endsWith("Z") && other.endsWith("Z") || one.slice(-"+05:30".length) === other.slice(-"+05:30".length);
}
function compareRows(one, other) {
  return compareTexts(finerTimeOf(timestampOf(one)), finerTimeOf(timestampOf(other))) || compareMembers(one, other, sentNames(one), sentNames(other));
}
function sentNames(row) {
  return Object.keys(row).filter((name) => name !== "ordinal");
}
function compare(one, other) {
  if (one === other) return 0;
  const kind = kindOf(one);
  if (kind !== kindOf(other)) return kind - kindOf(other);
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one === "string" && typeof other === "string")
    return compareAsNumbers(one, other) || compareTexts(one, other);
  return compareMembers(Object(one), Object(other), Object.keys(Object(one)), Object.keys(Object(other)));
}
function kindOf(value) {
  if (typeof value === "string") return 0;
  if (typeof value === "number") return 1;
  if (typeof value === "boolean") return value ? 5 : 3;
  if (value === null) return 4;
  return Array.isArray(value) ? 2 : 6;
}
function compareMembers(one, other, names, otherNames) {
  let at = 0;
  for (const name of names) {
    const difference = compareTexts(name, otherNames[at++] ?? "") || compare(Reflect.get(one, name), Reflect.get(other, name));
    if (difference !== 0) return difference;
  }
  return names.length - otherNames.length;
}
const NUMBER = /^-?\d+(\.\d+)?$/;
function compareAsNumbers(one, other) {
  const [isNumber, isOtherNumber] = [NUMBER.test(one), NUMBER.test(other)];
  return isNumber && isOtherNumber ? Number(one) - Number(other) : Number(isOtherNumber) - Number(isNumber);
}
function compareTexts(one, other) {
  return one === other ? 0 : one < other ? -1 : 1;
}
function setOrdinal(row, ordinal) {
  row.ordinal = ordinal;
}
export {
  Moments,
  compareRows
};
