// The texts of the page: complete in each language, with the same values, and used in page.html.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compassPoint } from '../../../src/cli/views/compass.js';
import { eventText, Formats, formatDuration } from '../src/page/format.js';
import { Language, languageFor } from '../src/page/words/language.js';
import { words } from '../src/page/words/words.js';

const holesOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

test('each language has every word, with its values', () => {
  const wrong = Object.entries(words).filter(([, [english, ...others]]) =>
    others.some((text) => text.trim() === '' || holesOf(text).join() !== holesOf(english).join()),
  );
  expect(wrong).toEqual([]);
});

test('page.html names words of the table only', () => {
  const html = readFileSync(new URL('../src/page/page.html', import.meta.url), 'utf8');
  const named = [...html.matchAll(/data-(?:text|label|hint)="(\w+)"/g)].map(([, key]) => key ?? '');
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((key) => !(key in words))).toEqual([]);
});

test('the address decides, then the browser, then English; the region of the browser stays', () => {
  const codes = (requestedTag: string | null, ...preferred: string[]) => {
    const { code, locale } = languageFor(requestedTag, preferred);
    return `${code} ${locale}`;
  };
  expect(codes('et', 'de-AT')).toBe('et et');
  expect(codes(null, 'fr', 'de-AT', 'en')).toBe('de de-AT');
  expect(codes('xx', 'ar')).toBe('en en');
});

test('numbers, ages and sentences are those of the language', () => {
  const language = new Language('de');
  const formats = new Formats('UTC', 'metric', language);
  expect([formats.distance(12.34), formats.ago(300_000), formatDuration(3_900_000)]).toEqual([
    '12,3 km',
    'vor 5 min',
    '1 h 05 min',
  ]);
  expect([language.counted(1, 'trip'), language.counted(1_204, 'trip')]).toEqual(['1 Fahrt', '1.204 Fahrten']);
  expect(formats.place({ name: 'Depot', metres: 340, direction: 'S' })).toBe('340 m S von Depot');
  expect(formats.place({ name: 'Depot', metres: 340, direction: 'SE' })).toBe('340 m SO von Depot');
  expect([formats.ago(86_400_000), formats.ago(3 * 86_400_000)]).toEqual(['vor 1 Tag', 'vor 3 Tagen']);
  expect(eventText('MAX_SPEED_EXCEEDED', language)).toBe('Höchstgeschwindigkeit überschritten');
  // Inherited object members are no texts.
  expect(eventText('toString', language)).toBe('Tostring');
});

test('every direction has a word in every language', () => {
  const winds = Array.from({ length: 8 }, (_, index) => compassPoint(index * 45));
  const wordsOf = (code: 'de' | 'en' | 'es' | 'et') =>
    winds.map((wind) => new Language(code).translation('wind', wind));
  expect(wordsOf('en')).toEqual(winds);
  expect(wordsOf('de')).toEqual(['N', 'NO', 'O', 'SO', 'S', 'SW', 'W', 'NW']);
  expect(wordsOf('es')).toEqual(['N', 'NE', 'E', 'SE', 'S', 'SO', 'O', 'NO']);
  expect(new Set(wordsOf('et')).size).toBe(8);
  expect(wordsOf('et')).not.toContain(null);
});
