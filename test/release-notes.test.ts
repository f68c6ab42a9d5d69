// The change log of a release, and the check that a version follows the one before it.
import { expect, test } from 'vitest';
import { changelogFor, compareVersions, entryOf } from '../scripts/release-notes.mjs';

const date = new Date('2026-03-02T09:30:00Z');

test('what is unreleased comes under the version and its date', () => {
  const text = '# Changelog\n\n## Unreleased\n\n### Added\n\n- One.\n\n## 0.9.0 (2026-01-01)\n\n- Zero.\n';
  expect(changelogFor(text, '1.0.0', date)).toBe(
    '# Changelog\n\n## Unreleased\n\n## 1.0.0 (2026-03-02)\n\n### Added\n\n- One.\n\n## 0.9.0 (2026-01-01)\n\n- Zero.\n',
  );
});

test('the first release has nothing after it', () => {
  expect(changelogFor('# Changelog\n\n## Unreleased\n\n- One.\n', '0.1.0', date)).toBe(
    '# Changelog\n\n## Unreleased\n\n## 0.1.0 (2026-03-02)\n\n- One.\n',
  );
});

test.each(['# Changelog\n', '## Unreleased\n', '## Unreleased\n\n## 0.1.0 (2026-01-01)\n\n- One.\n'])(
  'nothing to release: %j',
  (text) => {
    expect(changelogFor(text, '1.0.0', date)).toBeNull();
  },
);

test('the entry of one version, without its heading', () => {
  const text =
    '# Changelog\n\n## Unreleased\n\n## 1.0.0 (2026-03-02)\n\n### Added\n\n- One.\n\n## 0.9.0 (2026-01-01)\n\n- Zero.\n';
  expect(entryOf(text, '1.0.0')).toBe('### Added\n\n- One.');
  expect(entryOf(text, '0.9.0')).toBe('- Zero.');
  expect(entryOf(text, '0.9')).toBeNull();
});

test('versions in the order of semantic versioning', () => {
  const inOrder = [
    '0.9.9',
    '0.10.0',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0',
    '1.0.1',
  ];
  expect(inOrder.toReversed().sort(compareVersions)).toEqual(inOrder);
  expect(compareVersions('1.2.3', '1.2.3')).toBe(0);
});
