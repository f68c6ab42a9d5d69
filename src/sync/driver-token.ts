// The token of a driver comes in eight spellings with every snapshot. Where the others follow from the first one, it is enough.

/** Bytes in hexadecimal, as an iButton or a card has them. */
const HEX = /^(?:[\da-f]{2}){1,16}$/i;
const CARD_DIGITS = 8;

/** The other members of the group `driver`, for a token that is written as `iButton` in hexadecimal. */
function otherSpellings(iButton: string): Readonly<Record<string, string>> {
  const reversed = (iButton.match(/../g) ?? []).reverse().join('');
  const card = iButton.slice(-CARD_DIGITS);
  return {
    oneWire: reversed,
    rfidIButton: decimal(iButton),
    rfidIButtonHex: iButton,
    rfidIButtonReversed: decimal(reversed),
    rfidIButtonReversedHex: reversed,
    rfid: decimal(card),
    rfidHex: card,
  };
}

function decimal(hex: string): string {
  return BigInt(`0x${hex}`).toString();
}

/** Nearly always the same as in the row before. */
let known: { readonly iButton: string; readonly others: Readonly<Record<string, string>> } | null = null;

/** The snapshot without the other spellings. When one of them is missing, or another one than expected, all of them stay. */
export function withOneSpelling(snapshot: object): object {
  const driver: unknown = Reflect.get(snapshot, 'driver');
  if (typeof driver !== 'object' || driver === null) return snapshot;
  const iButton: unknown = Reflect.get(driver, 'iButton');
  if (typeof iButton !== 'string' || !HEX.test(iButton)) return snapshot;
  if (known?.iButton !== iButton) known = { iButton, others: otherSpellings(iButton) };
  const { others } = known;
  const follows = Object.entries(others).every(([name, spelling]) => Reflect.get(driver, name) === spelling);
  if (!follows) return snapshot;
  return {
    ...snapshot,
    driver: Object.fromEntries(Object.entries(driver).filter(([name]) => !Object.hasOwn(others, name))),
  };
}
