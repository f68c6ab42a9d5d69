// A terminal gets only printable characters and line breaks, whatever the service sends: in every
// command, every format, prompts and errors.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainText } from '../../src/cli/io/plain-text.js';
import { guardTerminal } from '../../src/cli/io/terminal-guard.js';
import type { Fetch } from '../../src/core/ports.js';
import { runs } from '../runs.js';
import { baseUrl, service, shell } from './harness.js';
import { Sink } from './sink.js';

/**
 * Cursor moves, colours, line breaks, C1 controls, bidi marks, zero-width characters, surrogates.
 */
const hostileParts = [
  ...['\u001b[2K\r', '\u001b[31m', '\u001b]0;x\u0007', '\b', '\t', '\n', '\r\n', '\u0000', '\u007f', '\u009b1A'],
  ...['\u202e', '\u2066', '\u200b', '\u200d', '\ufeff', '\u00ad', '\u{e0041}', '\ud800', '\u2028', 'Van', '"', '=1+1'],
];
const hostile = fc
  .array(fc.constantFrom(...hostileParts), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(''));

/** Not printable on a terminal. Tabs separate the columns of tsv. */
const forbidden =
  /(?!\n)[\p{Cc}\p{Cs}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;
const withoutSeparators = (text: string) => text.replaceAll('\t', '');

/** The start of the progress line. It is removed, so that all remaining escapes are errors. */
const progressStart = '\r\u001b[2K';

const isMeaningful = /^[0-9a-f-]{36}$|^\d{4}-\d\d-\d\d/;

/** Adds hostile characters to every text of the answers, except ids and times. */
function withHostileTexts(fetch: Fetch, text: () => string): Fetch {
  const spoil = (value: unknown): unknown => {
    if (typeof value === 'string') return isMeaningful.test(value) ? value : `${value}${text()}`;
    if (Array.isArray(value)) return value.map(spoil);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, spoil(member)]));
  };
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!url.endsWith('/graphql')) return response;
    return Response.json(spoil(await response.json()), { status: response.status });
  };
}

const period = ['--from', '-2h', '--to', 'now'];
const lists = [
  ...[
    'vehicles list',
    'vehicles types',
    'vehicles status',
    'people list',
    'people fields',
    'groups list',
    'labels list',
  ],
  ...[
    'geofences list',
    'roles list',
    'sensors list',
    'rules list',
    'schedules list',
    'snapshots latest',
    'reports list',
  ],
  ...['schema check', 'doctor'],
].map((command) => command.split(' '));

describe.each(['table', 'json', 'ndjson', 'yaml', 'csv', 'tsv'])('%s', (format) => {
  test('lists and records', async () => {
    const mock = service();
    const fleet = shell(mock.fetch, {
      FLEET_BASE_URL: baseUrl,
      FLEET_USERNAME: 'demo',
      FLEET_PASSWORD: 'demo',
      NO_COLOR: '1',
    });
    const { stdout } = await fleet(['vehicles', 'list', '-o', 'json', '--fields', 'id']);
    const [{ id: vehicle }] = JSON.parse(stdout);
    const [{ id: rule }] = JSON.parse((await fleet(['rules', 'list', '-o', 'json'])).stdout);
    const [{ id: person }] = JSON.parse((await fleet(['people', 'list', '-o', 'json'])).stdout);
    const [{ id: geofence }] = JSON.parse((await fleet(['geofences', 'list', '-o', 'json'])).stdout);
    const records = [
      ['vehicles', 'get', vehicle],
      ['vehicles', 'fields', vehicle],
      ['vehicles', 'sensors', vehicle],
      ['people', 'get', person],
      ['geofences', 'get', geofence],
      ['rules', 'get', rule],
      ['snapshots', 'list', vehicle, ...period],
      ['trips', 'list', vehicle, ...period],
      ['drivers', 'assignments', '--vehicle', vehicle],
    ];
    await fc.assert(
      fc.asyncProperty(hostile, fc.constantFrom(...lists, ...records), async (text, words) => {
        const terminal = shell(
          withHostileTexts(mock.fetch, () => text),
          { FLEET_BASE_URL: baseUrl, FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo', NO_COLOR: '1' },
        );
        const shown = await terminal([...words, '-o', format], { terminal: 100 });
        expect(withoutSeparators(shown.stdout)).not.toMatch(forbidden);
        expect(withoutSeparators(shown.stderr.replaceAll(progressStart, ''))).not.toMatch(forbidden);
      }),
      { numRuns: runs(24) },
    );
  });
});

test('the name of a group cannot rewrite the question before it is deleted', async () => {
  const mock = service();
  const text = '\u001b[2K\rKeep everything';
  const fleet = shell(
    withHostileTexts(mock.fetch, () => text),
    { FLEET_BASE_URL: baseUrl, FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo', NO_COLOR: '1' },
  );
  const [{ id }] = JSON.parse((await fleet(['groups', 'list', '-o', 'json'])).stdout);
  const { stderr } = await fleet(['groups', 'delete', id], { answers: [['[y/N] ', 'n']] });
  expect(stderr).toContain('\\u001b[2K Keep everything');
  expect(stderr).not.toContain(text);
});

test('a terminal gets our colours and no other control sequence', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...hostileParts), fc.string({ unit: 'grapheme' }))), (parts) => {
      const sink = Object.assign(new Sink(), { isTTY: true });
      guardTerminal(sink).write(parts.join(''));
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what colours are made of
      const colors = /\u001b\[(\d{1,2}|38;5;\d{1,3}|38;2;\d{1,3};\d{1,3};\d{1,3})m/g;
      const text = withoutSeparators(sink.text).replace(colors, '');
      expect(text).not.toMatch(forbidden);
    }),
  );
});

test('a pipe gets the exact text', () => {
  const sink = new Sink();
  expect(guardTerminal(sink)).toBe(sink);
});

describe('characters without a width', () => {
  test.each([
    ['a zero-width space', 'Van\u200b1', 'Van\\u200b1'],
    ['a joiner between Latin letters', 'Van\u200d1', 'Van\\u200d1'],
    ['a tag', 'Van\u{e0031}', 'Van\\udb40\\udc31'],
    ['a soft hyphen', 'Van\u00ad1', 'Van\\u00ad1'],
    ['half of a pair', 'Van\ud83d', 'Van\\ud83d'],
  ])('%s is shown as an escape', (_, text, shown) => {
    expect(plainText(text)).toBe(shown);
  });

  test.each([
    ['an emoji of several', '👩‍🔧 7'],
    ['a Persian plural', 'کامیون‌ها'],
    ['a Devanagari conjunct', 'क्‍ष'],
    ['accents', 'Jõgeva Käru'],
  ])('%s is left as it is', (_, text) => {
    expect(plainText(text)).toBe(text);
  });
});
