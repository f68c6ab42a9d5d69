// Snapshots have the token of a driver in eight spellings. One is enough if the others follow.

/** Bytes in hexadecimal, as in an iButton or a card. */
const HEX = /^(?:[\da-f]{2}){1,16}$/i;
const CARD_DIGITS = 8;

/** Returns the other members of the group `driver` for an `iButton` in hexadecimal. */
function spellingsOf(iButton: string): Readonly<Record<string, string>> {
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

const NO_SPELLINGS: ReadonlySet<string> = new Set();

/** Cached, because the previous row nearly always has the same token. */
let cachedToken: {
  readonly iButton: string;
  readonly others: readonly (readonly [string, string])[];
  readonly names: ReadonlySet<string>;
} | null = null;

/** Returns the members of `driver` that follow from its `iButton`, if all of them do. */
export function derivedSpellings(snapshot: object): ReadonlySet<string> {
  const driver: unknown = Reflect.get(snapshot, 'driver');
  if (typeof driver !== 'object' || driver === null) return NO_SPELLINGS;
  const iButton: unknown = Reflect.get(driver, 'iButton');
  if (typeof iButton !== 'string') return NO_SPELLINGS;
  if (cachedToken?.iButton !== iButton) {
    if (!HEX.test(iButton)) return NO_SPELLINGS;
    const others = Object.entries(spellingsOf(iButton));
    cachedToken = { iButton, others, names: new Set(others.map(([name]) => name)) };
  }
  const follows = cachedToken.others.every(([name, spelling]) => Reflect.get(driver, name) === spelling);
  return follows ? cachedToken.names : NO_SPELLINGS;
}
