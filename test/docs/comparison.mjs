// The README's table of comparisons, with a column for each tool, from the tables of
// bench/RESULTS.md. `node test/docs/comparison.mjs` writes it into the README after a run of the
// bench; a test fails when the two differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const readme = new URL('../../README.md', import.meta.url);
const results = new URL('../../bench/RESULTS.md', import.meta.url);
const section = /(<!-- comparison: from bench\/RESULTS.md -->\n)[\s\S]*?(<!-- end of comparison -->)/;

/** The clients of the bench by their names in the README. */
const tools = {
  'fleet-telematics': 'fleet-telematics',
  'undici by hand': 'undici.request by hand',
  'graphql-request': 'graphql-request',
  'p-queue + graphql-request': 'p-queue + graphql-request',
  urql: 'urql',
  'Apollo Client': 'Apollo Client',
  'batch-execute': 'batch-execute',
};

/** The rows of the table. `words` choose one of several rows of a client. */
const rows = [
  { title: '200 look-ups at once: how many fail', scenario: 'burst', column: 'lookups that failed' },
  { title: 'the same: requests', scenario: 'burst', column: 'requests' },
  { title: 'the same: time', scenario: 'burst', column: 'time' },
  {
    title: 'memory to read 259,200 snapshots',
    scenario: 'snapshots',
    column: 'peak memory',
    words: ['every field', '259,200'],
  },
  { title: 'time of one small call', scenario: 'small-call', column: 'ratio' },
];

/** Returns the cells of a table row. @param {string} line */
function cellsOf(line) {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}

/**
 * Returns a cell of the first table of a scenario, or "–" for a tool that it does not measure.
 * @param {string} text of bench/RESULTS.md
 * @param {typeof rows[number]} row
 * @param {string} client
 */
function cellOf(text, { scenario, column, words = [] }, client) {
  const [, chapter = ''] = text.split(`\n## ${scenario}: `);
  const [head, , ...lines] = (chapter.split('\n## ', 1)[0] ?? '').split('\n').filter((line) => line.startsWith('|'));
  const place = cellsOf(head ?? '').indexOf(column);
  if (place < 0) throw new Error(`The scenario ${scenario} of bench/RESULTS.md has no column "${column}".`);
  const found = lines.map(cellsOf).find((cells) => {
    const [name = ''] = cells;
    return (name === client || name.startsWith(`${client}, `)) && words.every((word) => cells.includes(word));
  });
  return found?.[place] ?? '–';
}

/** Returns the table of the README. @param {string} text of bench/RESULTS.md */
function comparisonOf(text) {
  const machine = /^Node .+$/m.exec(text)?.[0] ?? '';
  const lines = rows.map(
    (row) => `| ${[row.title, ...Object.values(tools).map((client) => cellOf(text, row, client))].join(' | ')} |`,
  );
  const head = `| | ${Object.keys(tools).join(' | ')} |`;
  return [head, head.replaceAll(/[^|]+/g, '---'), ...lines, '', `One run on ${machine}`, ''].join('\n');
}

/** Returns the README with its table made anew. @param {string} text @param {string} bench */
export function withComparison(text, bench) {
  return text.replace(section, (_, begin, end) => `${begin}${comparisonOf(bench)}${end}`);
}

/** Returns the texts of both files. */
export function current() {
  return { readme: readFileSync(readme, 'utf8'), results: readFileSync(results, 'utf8') };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { readme: text, results: bench } = current();
  writeFileSync(readme, withComparison(text, bench));
}
