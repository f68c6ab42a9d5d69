// Timestamps read with the cached minute equal those read separately.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toDate } from '../../src/core/dates.js';
import { TimestampReader } from '../../src/telemetry/timestamp-reader.js';

function alone(timestamp: string | number): number | null {
  try {
    return toDate(timestamp).getTime();
  } catch {
    return null;
  }
}

/** Few minutes and many seconds, so that neighbours share the cache; some are invalid. */
const timestamp = fc
  .record({
    minute: fc.constantFrom('2026-03-01T12:00', '2026-03-01T12:01', '2026-02-30T12:00', '2026-13-01T12:00', 'none'),
    second: fc.constantFrom('00', '01', '59', '60', '7x', ' 1', '1'),
    fraction: fc.constantFrom('', '.000', '.5', '.123', '.999', '.12x', '.123456789', ',123'),
    offset: fc.constantFrom('Z', 'Z', 'Z', 'z', '', '+02:00'),
  })
  .map(({ minute, second, fraction, offset }) => `${minute}:${second}${fraction}${offset}`);

test('one after the other are what each is on its own', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 5, arbitrary: timestamp }, fc.integer({ min: 1 })), { maxLength: 60 }),
      (all) => {
        const times = new TimestampReader();
        const valid = all.filter((one) => alone(one) !== null);
        expect(valid.map((one) => times.read(one))).toEqual(valid.map(alone));
        const mixed = new TimestampReader();
        // Texts that only Date accepts give an equal result, whatever came before.
        expect(all.map((one) => mixed.read(one))).toEqual(all.map((one) => new TimestampReader().read(one)));
      },
    ),
    { numRuns: 500 },
  );
});

test('no time is null', () => {
  const times = new TimestampReader();
  expect([null, undefined, '', 'soon', '2026-03-01T12:00:0xZ'].map((none) => times.read(none))).toEqual(
    Array(5).fill(null),
  );
});
