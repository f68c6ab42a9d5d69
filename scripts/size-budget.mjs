// Compares the hand-written source lines of each room with size-budget.json; a room that has grown
// fails the lint. `node scripts/size-budget.mjs --lower` lowers numbers; a feature raises its
// number by hand, with the reason in the commit.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './source-files.mjs';

const file = join(root, 'size-budget.json');
const sources = /\.(ts|mts|mjs|cjs|js|css|html)$/;

/** @param {string} path in `src/<room>`, `src/cli/<room>`, `packages/<name>`, or another folder */
function roomOf(path) {
  const parts = path.split('/').slice(0, -1);
  if (parts[0] === 'test') return 'test';
  if (parts[0] === 'packages') return parts[2] === 'test' ? 'packages tests' : `packages/${parts[1]}`;
  return parts.slice(0, parts[1] === 'cli' ? 3 : 2).join('/');
}

/** @returns {Map<string, number>} lines by room */
function measure() {
  const lines = new Map();
  for (const top of ['src', 'packages', 'test']) {
    for (const name of readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })) {
      const path = `${top}/${name.replaceAll('\\', '/')}`;
      if (!sources.test(path) || /^src\/generated\/|\/(node_modules|golden|dist[^/]*)\//.test(path)) continue;
      const room = roomOf(path);
      lines.set(room, (lines.get(room) ?? 0) + (readFileSync(join(root, path), 'utf8').match(/\n/g) ?? []).length);
    }
  }
  return new Map([...lines].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** @type {Record<string, number>} */
const budget = JSON.parse(readFileSync(file, 'utf8'));
const lines = measure();
if (process.argv.includes('--lower')) {
  const lowered = [...lines].map(([room, count]) => [room, Math.min(count, budget[room] ?? count)]);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(lowered), null, 2)}\n`);
} else {
  for (const [room, count] of lines) {
    const limit = budget[room];
    if (limit === undefined) fail(`${room} has no number in size-budget.json: add it.`);
    else if (count > limit)
      fail(`${room} has ${count} lines, ${count - limit} more than size-budget.json allows (${limit}).`);
  }
  for (const room of Object.keys(budget))
    if (!lines.has(room)) fail(`${room} is in size-budget.json and does not exist.`);
}

/** @param {string} problem */
function fail(problem) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
