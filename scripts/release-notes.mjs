// What a release does to CHANGELOG.md, and which of two versions is the later one.

const unreleased = '## Unreleased';

/**
 * The changelog with what is unreleased under the version, or null when there is nothing.
 * @param {string} text @param {string} version @param {Date} date
 * @returns {string | null}
 */
export function changelogFor(text, version, date) {
  const start = text.indexOf(`${unreleased}\n`);
  if (start < 0) return null;
  const end = text.indexOf('\n## ', start + unreleased.length);
  const notes = text.slice(start + unreleased.length, end < 0 ? undefined : end).trim();
  if (notes === '') return null;
  const rest = end < 0 ? '' : text.slice(end);
  return `${text.slice(0, start)}${unreleased}\n\n## ${version} (${date.toISOString().slice(0, 10)})\n\n${notes}\n${rest}`;
}

/**
 * Negative when the first is the earlier one. A version before its release (1.0.0-rc.1) comes before it.
 * @param {string} one @param {string} other
 * @returns {number}
 */
export function compareVersions(one, other) {
  const [oneCore = '', oneBefore] = one.split(/-(.*)/s);
  const [otherCore = '', otherBefore] = other.split(/-(.*)/s);
  const core = byParts(oneCore, otherCore);
  if (core !== 0) return core;
  if (oneBefore === undefined || otherBefore === undefined) {
    return Number(oneBefore === undefined) - Number(otherBefore === undefined);
  }
  return byParts(oneBefore, otherBefore);
}

/** @param {string} one @param {string} other @returns {number} */
function byParts(one, other) {
  const ours = one.split('.');
  const theirs = other.split('.');
  for (let place = 0; place < Math.max(ours.length, theirs.length); place += 1) {
    const a = ours[place];
    const b = theirs[place];
    if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
    const areNumbers = /^\d+$/.test(a) && /^\d+$/.test(b);
    const order = areNumbers ? Number(a) - Number(b) : a < b ? -1 : a > b ? 1 : 0;
    if (order !== 0) return order;
  }
  return 0;
}
