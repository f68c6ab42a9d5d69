// Puts the version of a release into CHANGELOG.md, and compares two versions.

const unreleased = '## Unreleased';

/**
 * Returns the change log with the unreleased entries moved under the version; null without entries.
 * @param {string} text
 * @param {string} version
 * @param {Date} date
 * @returns {string | null}
 */
export function changelogFor(text, version, date) {
  const notes = below(text, unreleased);
  if (notes === null || notes === '') return null;
  const start = text.indexOf(`${unreleased}\n`);
  const end = text.indexOf('\n## ', start + unreleased.length);
  const rest = end < 0 ? '' : text.slice(end);
  return `${text.slice(0, start)}${unreleased}\n\n## ${version} (${date.toISOString().slice(0, 10)})\n\n${notes}\n${rest}`;
}

/**
 * Returns the change log's entry of a version; null when it has no heading.
 * @param {string} text
 * @param {string} version
 * @returns {string | null}
 */
export function entryOf(text, version) {
  const heading = text.split('\n').find((line) => line.startsWith(`## ${version} (`));
  return heading === undefined ? null : below(text, heading);
}

/** @param {string} text @param {string} heading @returns {string | null} */
function below(text, heading) {
  const start = text.indexOf(`${heading}\n`);
  if (start < 0) return null;
  const end = text.indexOf('\n## ', start + heading.length);
  return text.slice(start + heading.length, end < 0 ? undefined : end).trim();
}

/**
 * Returns a negative number when the first version is earlier. A prerelease (1.0.0-rc.1) is earlier
 * than its release.
 * @param {string} first
 * @param {string} second
 * @returns {number}
 */
export function compareVersions(first, second) {
  const [firstCore = '', firstPrerelease] = first.split(/-(.*)/s);
  const [secondCore = '', secondPrerelease] = second.split(/-(.*)/s);
  const core = byParts(firstCore, secondCore);
  if (core !== 0) return core;
  if (firstPrerelease === undefined || secondPrerelease === undefined) {
    return Number(firstPrerelease === undefined) - Number(secondPrerelease === undefined);
  }
  return byParts(firstPrerelease, secondPrerelease);
}

/** @param {string} first @param {string} second @returns {number} */
function byParts(first, second) {
  const firstParts = first.split('.');
  const secondParts = second.split('.');
  for (let place = 0; place < Math.max(firstParts.length, secondParts.length); place += 1) {
    const a = firstParts[place];
    const b = secondParts[place];
    if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
    const areNumbers = /^\d+$/.test(a) && /^\d+$/.test(b);
    const order = areNumbers ? Number(a) - Number(b) : a < b ? -1 : a > b ? 1 : 0;
    if (order !== 0) return order;
  }
  return 0;
}
