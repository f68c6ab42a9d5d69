// The README's table of comparisons, made of the summary in bench/RESULTS.md: the first figure of each scenario, and all that missed their
// target. `node test/docs/comparison.mjs` writes it into the README after a run of the bench; a test fails when the two differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const readme = new URL('../../README.md', import.meta.url);
const results = new URL('../../bench/RESULTS.md', import.meta.url);
const section = /(<!-- comparison: from bench\/RESULTS.md -->\n)[\s\S]*?(<!-- end of comparison -->)/;

/** What the README should say, from the text of bench/RESULTS.md. @param {string} text */
function comparisonOf(text) {
  const machine = /^Node .+$/m.exec(text)?.[0] ?? '';
  const [summary = ''] = text.split('\n## ');
  /** @type {Set<string>} */
  const named = new Set();
  const rows = [...summary.matchAll(/^\| [a-z-]+ \|.*\|$/gm)].flatMap(([line]) => {
    const [scenario = '', what = '', target = '', reached = '', verdict = '', others = ''] = line
      .slice(2, -2)
      .split(' |')
      .map((cell) => cell.trim());
    const missed = verdict.includes('missed') ? ', **missed**' : '';
    if (named.has(scenario) && missed === '') return [];
    named.add(scenario);
    return [`| ${what} | ${reached} | ${target}${missed} | ${others} |`];
  });
  return [
    `One run of \`npm run bench\` on ${machine}`,
    '',
    '| what | fleet-telematics | target | others in the same run |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
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
