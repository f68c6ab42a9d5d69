// Checks the subjects of the commits that are not in `since`: at most 72 characters, with the area
// in front, in the imperative ("sync: keep trips that a late row splits"). CI runs this.
import { spawnSync } from 'node:child_process';
import { root } from './source-files.mjs';

/** The last commit before the rule. */
const since = '5996ddfddfa56b3c6b4d3c3df04c9cbeed52a4d3';

/** Longest subject, as `git log --oneline` shows it whole. */
const longest = 72;

const log = spawnSync('git', ['log', '--no-merges', '--format=%h %s', `${since}..HEAD`], {
  cwd: root,
  encoding: 'utf8',
});
if (log.status !== 0) {
  process.stderr.write(
    `The commits since ${since} cannot be read: ${log.stderr}Fetch the whole history, then run it again.\n`,
  );
  process.exit(1);
}
for (const line of log.stdout.split('\n').filter((text) => text !== '')) {
  const [hash = '', ...words] = line.split(' ');
  const problem = problemOf(words.join(' '));
  if (problem === null) continue;
  process.stdout.write(`${hash} ${words.join(' ')}\n  ${problem}\n`);
  process.exitCode = 1;
}

/**
 * Returns the rule that a subject breaks, or null.
 * @param {string} subject
 * @returns {string | null}
 */
function problemOf(subject) {
  if (subject.length > longest) return `It has ${subject.length} characters, ${longest} are allowed.`;
  const match = /^[a-z0-9][a-z0-9 ,./-]*: (\S+)/.exec(subject);
  if (match === null) return 'It names no area: write "area: change", such as "sync: keep late trips".';
  const [, verb = ''] = match;
  if (
    /^(added|adds|adding|fixed|fixes|fixing|removed|removes|removing|changed|changes|changing|made|makes|making|updated|updates|updating)$/i.test(
      verb,
    )
  )
    return `"${verb}" is not the imperative: write what the commit does to the code, such as "add".`;
  if (subject.endsWith('.')) return 'It ends with a full stop.';
  return null;
}
