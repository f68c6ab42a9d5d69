const HEX = /^(?:[\da-f]{2}){1,16}$/i;
const CARD_DIGITS = 8;
function otherSpellings(iButton) {
  const reversed = (iButton.match(/../g) ?? []).reverse().join("");
  const card = iButton.slice(-CARD_DIGITS);
  return {
    oneWire: reversed,
    rfidIButton: decimal(iButton),
    rfidIButtonHex: iButton,
    rfidIButtonReversed: decimal(reversed),
    rfidIButtonReversedHex: reversed,
    rfid: decimal(card),
    rfidHex: card
  };
}
function decimal(hex) {
  return BigInt(`0x${hex}`).toString();
}
const NONE = /* @__PURE__ */ new Set();
let known = null;
function otherSpellingsIn(snapshot) {
  const driver = Reflect.get(snapshot, "driver");
  if (typeof driver !== "object" || driver === null) return NONE;
  const iButton = Reflect.get(driver, "iButton");
  if (typeof iButton !== "string") return NONE;
  if (known?.iButton !== iButton) {
    if (!HEX.test(iButton)) return NONE;
    const others = Object.entries(otherSpellings(iButton));
    known = { iButton, others, names: new Set(others.map(([name]) => name)) };
  }
  const follows = known.others.every(([name, spelling]) => Reflect.get(driver, name) === spelling);
  return follows ? known.names : NONE;
}
export {
  otherSpellingsIn
};
