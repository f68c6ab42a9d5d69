// Every link in the documents has a target.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { anchorsOf, linksOf, pages, root, targetOf } from './markdown.js';

test.each(pages().map((page) => [page.file, page] as const))('%s', (_, page) => {
  const broken = linksOf(page).filter(({ target }) => {
    if (/^(https?|mailto):/.test(target)) return !URL.canParse(target);
    const { path, anchor } = targetOf(page, target);
    if (path.startsWith('..') || !existsSync(join(root, path))) return true;
    return anchor !== null && !anchorsOf(readFileSync(join(root, path), 'utf8')).includes(anchor);
  });
  expect(broken).toEqual([]);
});

test('every page of docs/ can be reached from the README', () => {
  const [readme, ...others] = pages().toSorted((one) => (one.file === 'README.md' ? -1 : 1));
  const reached = readme ? linksOf(readme).map(({ target }) => targetOf(readme, target).path) : [];
  expect(others.map(({ file }) => file).filter((file) => file.startsWith('docs/') && !reached.includes(file))).toEqual(
    [],
  );
});
