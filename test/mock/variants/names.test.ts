// Every variant has a CLI name and a line in the docs, and both mean the same.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createMockService } from '../../../src/mock/service.js';
import { namedVariants, variantAbout, variantNames, variantOf } from '../../../src/mock/variants/names.js';

const docs = readFileSync(new URL('../../../docs/reference-service.md', import.meta.url), 'utf8');

test('docs/reference-service.md lists every variant with its member and its line', () => {
  const section = docs.slice(docs.indexOf('## Variants'), docs.indexOf('## Journal'));
  const rows = section.split('\n').flatMap((line) => {
    const [, name, member, about] = /^\| `([^`]+)` \| `([^`]+)` \| (.+) \|$/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, member, about }];
  });
  expect(rows.map(({ name, about }) => [name, about])).toEqual(variantNames.map((name) => [name, variantAbout(name)]));
  for (const { name, member } of rows) {
    // The docs show the member as source code.
    const written: unknown = new Function(`return { ${member} }`)();
    expect(written, name).toEqual(variantOf([name]));
  }
});

test('a service takes every variant', () => {
  for (const { variant } of Object.values(namedVariants)) {
    expect(createMockService({ variant }).variant).toEqual(variant);
  }
});

test('names are combined; unknown names and names that exclude each other are refused', () => {
  expect(variantOf([])).toEqual({});
  expect(variantOf(['turns-by-login', 'refresh-rotates', 'turns-by-login'])).toEqual({
    turns: 'by-login',
    refreshTokens: 'rotate',
  });
  expect(() => variantOf(['tidy'])).toThrow('there is no variant "tidy"');
  expect(() => variantOf(['refresh-rotates', 'refresh-rotates-with-grace'])).toThrow(
    'refresh-rotates and refresh-rotates-with-grace exclude each other',
  );
});
