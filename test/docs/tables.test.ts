// Tables in the documents match the code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CliError, type CliErrorCode } from '../../src/cli/errors/cli-error.js';
import { commandFailureOf } from '../../src/cli/errors/exit-codes.js';
import * as sdk from '../../src/index.js';
import { offlineAfterMs, staleAfterMs } from '../../src/telemetry/live-status.js';
import { tripLimits } from '../../src/telemetry/trips/trip-limits.js';
import { current, withComparison } from './comparison.mjs';
import { pages, root } from './markdown.js';

const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

/** Returns the table rows whose first cell is code, by that code. */
function rowsOf(text: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...text.matchAll(/^\| `([^`]+)`.*? \| (.+) \|$/gm)].map((match) => [
      match[1] ?? '',
      (match[2] ?? '').split(' | '),
    ]),
  );
}

test('no page but the changelog and the page of all methods counts the operations, so that adding one changes no page', () => {
  const counted = pages()
    .filter(({ file }) => !['CHANGELOG.md', 'docs/methods.md'].includes(file))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/.*\b\d{2,} (?:queries|mutations|operations|methods)\b.*/g)].map(
        ([line]) => `${file}: ${line}`,
      ),
    );
  expect(counted).toEqual([]);
});

test('the table of comparisons is that of bench/RESULTS.md: `node test/docs/comparison.mjs` writes it', () => {
  const { readme, results } = current();
  expect(readme).toBe(withComparison(readme, results));
  expect(readme).toContain('| 200 look-ups at once: how many fail | 0 | ');
});

describe('docs/errors.md', () => {
  const rows = rowsOf(textOf('docs/errors.md'));
  // A new code fails to compile until it is listed here, and fails the test until it is documented.
  const codes: Readonly<Record<sdk.FleetErrorCode | CliErrorCode, true>> = {
    AUTHENTICATION: true,
    CREDENTIALS: true,
    SESSION_EXPIRED: true,
    USER_SELECTION: true,
    RATE_LIMIT: true,
    GRAPHQL: true,
    AMBIGUOUS_MUTATION: true,
    HTTP: true,
    NETWORK: true,
    TRANSPORT: true,
    TIMEOUT: true,
    ABORTED: true,
    CLOSED: true,
    QUEUE_FULL: true,
    GATE: true,
    HEADERS: true,
    TOKEN_STORE: true,
    INVALID_INPUT: true,
    PROTOCOL: true,
    RESPONSE_TOO_LARGE: true,
    INCOMPLETE_STREAM: true,
    USAGE: true,
    AMBIGUOUS_NAME: true,
    CONFIGURATION: true,
    NOT_FOUND: true,
    SYNC_TARGET: true,
    IN_USE: true,
    UNEXPECTED: true,
  };
  const warnings: Readonly<Record<sdk.WarningEvent['code'], true>> = {
    PARTIAL_DATA: true,
    NULL_LIST: true,
    NULL_ROWS: true,
    SESSION_FILE_CORRUPT: true,
    SESSION_FILE_MODE: true,
    SESSION_STORE: true,
    SHARED_LOGIN: true,
    SHARED_LOGIN_ENDED: true,
    GATE_LOST: true,
    GATE_RESTORED: true,
    MERGING_STOPPED: true,
    MERGING_RESUMED: true,
    UNKNOWN_MEMBER: true,
    UNREADABLE_VALUES: true,
    SERVICE_CLOCK: true,
    ROWS_OUT_OF_ORDER: true,
    NO_IGNITION: true,
    DEVICE_CLOCK: true,
    NOT_WATCHED: true,
    WORK_SCHEDULE: true,
  };

  test.each(Object.keys(codes))('%s has its exit code', (code) => {
    // Each key is a code, as the record above says.
    const { exitCode } = commandFailureOf(new CliError(code as CliErrorCode, ''), false);
    expect(rows.get(code)?.[0]).toBe(String(exitCode));
  });

  test('every code of the SDK has a status for web backends', () => {
    const section = textOf('docs/errors.md').split('## In a web backend')[1]?.split('\n## ')[0] ?? '';
    const ofSdk = Object.values(sdk).flatMap((value) =>
      typeof value === 'function' && value.name.endsWith('Error') && value.name !== 'FleetError' ? [value.name] : [],
    );
    const all = [...textOf('docs/errors.md').matchAll(/^\| `([A-Z_]+)` \| \d+ \| `(\w+Error)`/gm)];
    expect(all.length).toBeGreaterThanOrEqual(ofSdk.length);
    expect(all.filter(([, code]) => !section.includes(`\`${code}\``)).map(([, code]) => code)).toEqual([]);
  });

  test('every class of errors is named', () => {
    const classes = Object.keys(sdk).filter((name) => name.endsWith('Error') && name !== 'FleetError');
    const text = textOf('docs/errors.md');
    expect(classes.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  test.each(['docs/recipes.md', 'bench/programs/web-backend.mjs'])(
    '%s maps codes to HTTP statuses as it says',
    (file) => {
      const [, table = ''] = textOf('docs/errors.md').split('## In a web backend');
      const said = [...table.matchAll(/^\| (\d{3})\b.*? \| (.+) \|$/gm)].flatMap(([, status = '', cell = '']) =>
        [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']) => `${code}: ${status},`),
      );
      // Unlisted codes are 502; codes in two rows depend on more than the code.
      const one = said.filter((line) => !/: 502|GRAPHQL|HEADERS/.test(line));
      expect(one.length).toBeGreaterThan(10);
      const code = textOf(file).replaceAll(' }', ',');
      expect(one.filter((line) => !code.includes(line))).toEqual([]);
    },
  );

  test('every warning is explained', () => {
    expect(Object.keys(warnings).filter((code) => !rows.has(code))).toEqual([]);
  });
});

describe('docs/sdk.md', () => {
  test('has every option of a client', () => {
    // A message about an unknown option lists the valid ones.
    const wrong = { baseUrl: 'http://fleet.test', nope: 1 };
    let message = '';
    try {
      new sdk.FleetClient(wrong);
    } catch (error) {
      message = String(error);
    }
    const options = (/it takes ([\w, ]+)/.exec(message)?.[1] ?? '').split(', ');
    expect(options.length).toBeGreaterThan(5);
    const table = textOf('docs/sdk.md').split('## All options')[1] ?? '';
    expect(options.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('docs/telemetry.md', () => {
  const text = textOf('docs/telemetry.md');

  test('has every option of a stream of several vehicles', () => {
    const options: Readonly<Record<keyof sdk.VehiclesStreamOptions, true>> = {
      onEvent: true,
      answerBytes: true,
    };
    expect(Object.keys(options).filter((name) => !text.includes(`| \`${name}\` |`))).toEqual([]);
  });

  test('has the defaults of trips', () => {
    const rows = rowsOf(text);
    for (const [name, value] of Object.entries(tripLimits(undefined)))
      expect(rows.get(name)?.[0], name).toBe(value instanceof Map && value.size === 0 ? 'none' : String(value));
  });

  test('has the ages of live status', () => {
    const rows = rowsOf(text);
    expect(rows.get('staleAfterMs')?.[0]).toBe(String(staleAfterMs));
    expect(rows.get('offlineAfterMs')?.[0]).toBe(String(offlineAfterMs));
  });
});

test('whatever the package exports is named in a document', () => {
  const said = pages()
    .map(({ text }) => text)
    .join('\n');
  expect(Object.keys(sdk).filter((name) => !said.includes(name))).toEqual([]);
});
