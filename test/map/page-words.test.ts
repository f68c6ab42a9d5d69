// The words of the page: each language has all of them, with the same values in them, and page.html names no other.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { durationText, Formats } from '../../src/map/page/format.js';
import { Language, languageFor } from '../../src/map/page/words/language.js';
import { words } from '../../src/map/page/words/words.js';

const holesOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

test('each language has every word, with its values', () => {
  const wrong = Object.entries(words).filter(([, [english, ...others]]) =>
    others.some((text) => text.trim() === '' || holesOf(text).join() !== holesOf(english).join()),
  );
  expect(wrong).toEqual([]);
});

test('page.html names words of the table only', () => {
  const html = readFileSync(new URL('../../src/map/page/page.html', import.meta.url), 'utf8');
  const named = [...html.matchAll(/data-(?:text|label|hint)="(\w+)"/g)].map(([, key]) => key ?? '');
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((key) => !(key in words))).toEqual([]);
});

test('the address decides, then the browser, then English; the region of the browser stays', () => {
  const codes = (asked: string | null, ...preferred: string[]) => {
    const { code, locale } = languageFor(asked, preferred);
    return `${code} ${locale}`;
  };
  expect(codes('et', 'de-AT')).toBe('et et');
  expect(codes(null, 'fr', 'de-AT', 'en')).toBe('de de-AT');
  expect(codes('xx', 'ar')).toBe('en en');
});

test('numbers, ages and sentences are those of the language', () => {
  const language = new Language('de');
  const formats = new Formats('UTC', 'metric', language);
  expect([formats.distance(12.34), formats.ago(300_000), durationText(3_900_000)]).toEqual([
    '12,3 km',
    'vor 5 min',
    '1 h 05 min',
  ]);
  expect([language.counted(1, 'trip'), language.counted(1_204, 'trip')]).toEqual(['1 Fahrt', '1.204 Fahrten']);
  expect(formats.place({ name: 'Depot', metres: 340, direction: 'S' })).toBe('340 m S von Depot');
});
