// The README's table of comparisons: five rows of the summary in bench/RESULTS.md, without its targets. `node test/docs/comparison.mjs`
// writes it into the README after a run of the bench; a test fails when the two differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const readme = new URL('../../README.md', import.meta.url);
const results = new URL('../../bench/RESULTS.md', import.meta.url);
const section = /(<!-- comparison: from bench\/RESULTS.md -->\n)[\s\S]*?(<!-- end of comparison -->)/;

/** The words of the summary, and those of the README. */
const shown = Object.entries({
  '200 lookups at once, 50 ms latency (worst of 5 rounds)': '200 look-ups at once, 50 ms each',
  'trips of a day, 1,000 vehicles, 300 ms latency: requests': 'requests for the trips of 1,000 vehicles on one day',
  'a high look-up while 300 streams run': 'an urgent look-up while 300 streams run: calls before it, and its time',
  '259,200 snapshots of every field: peak memory': 'memory to read 259,200 snapshots',
  'small call, loopback': 'time of one small call; `undici.request` and `JSON.parse` by hand take 1x',
});

/** What the README should say, from the text of bench/RESULTS.md. @param {string} text */
function comparisonOf(text) {
  const machine = /^Node .+$/m.exec(text)?.[0] ?? '';
  const [summary = ''] = text.split('\n## ');
  const cells = [...summary.matchAll(/^\| [a-z-]+ \|.*\|$/gm)].map(([line]) =>
    line
      .slice(2, -2)
      .split(' |')
      .map((cell) => cell.trim()),
  );
  const rows = shown.map(([name, words]) => {
    const row = cells.find(([, what]) => what === name);
    if (!row) throw new Error(`The summary of bench/RESULTS.md has no row "${name}", which the README shows.`);
    const [, , , reached, , others] = row;
    return `| ${words} | ${reached} | ${others} |`;
  });
  return ['| | fleet-telematics | others |', '|---|---|---|', ...rows, '', `One run on ${machine}`, ''].join('\n');
}

/** The README with its table made anew. @param {string} text @param {string} bench */
export function withComparison(text, bench) {
  return text.replace(section, (_, begin, end) => `${begin}${comparisonOf(bench)}${end}`);
}

/** Both as they are. */
export function current() {
  return { readme: readFileSync(readme, 'utf8'), results: readFileSync(results, 'utf8') };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { readme: text, results: bench } = current();
  writeFileSync(readme, withComparison(text, bench));
}
