// Fails when a link of the built site leads to a missing file, or to an anchor that its page lacks.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('dist', import.meta.url));
const base = process.env.SITE_BASE ?? '/';

const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.html'))
  .map((name) => join(folder, name));
const texts = new Map(pages.map((page) => [page, readFileSync(page, 'utf8')]));
const anchors = new Map(
  [...texts].map(([page, text]) => [page, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
);

/** @param {string} page @param {string} link */
function isBroken(page, link) {
  const [path = '', anchor] = link.replaceAll('&amp;', '&').split('#').map(decodeURIComponent);
  const isAbsolute = path.startsWith('/');
  if (isAbsolute && !path.startsWith(base)) return true;
  const named = isAbsolute ? join(folder, path.slice(base.length)) : resolve(dirname(page), path);
  const target = path === '' ? page : [named, join(named, 'index.html'), `${named}.html`].find(isFile);
  return target === undefined || (Boolean(anchor) && anchors.has(target) && !anchors.get(target)?.has(anchor));
}

/** @param {string} path */
function isFile(path) {
  return existsSync(path) && statSync(path).isFile();
}

let links = 0;
const broken = [...texts].flatMap(([page, text]) => {
  const found = [...text.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link = '']) => link);
  const own = [...new Set(found)].filter((link) => !/^(?:[a-z]+:|\/\/)/i.test(link));
  links += own.length;
  return own.filter((link) => isBroken(page, link)).map((link) => `${page.slice(folder.length + 1)}: ${link}`);
});
process.stdout.write(`${pages.length} pages, ${links} links, ${broken.length} of them broken\n`);
if (broken.length > 0) {
  process.stderr.write(`${broken.join('\n')}\n`);
  process.exitCode = 1;
}
