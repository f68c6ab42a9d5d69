// Writes the licence texts of the packages that a bundle contains, as esbuild's metafile lists them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What is compiled into a package, whose own licence files do not tell of it. @type {Readonly<Record<string, string>>} */
const compiledIn = { 'jq-wasm': 'scripts/licenses-in-jq-wasm.txt' };

/**
 * @param {import('esbuild').Metafile} metafile
 * @param {string} file
 */
export function writeLicenses({ outputs }, file) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  // Tree shaking can leave nothing of a file; then the file is not in the bundle.
  const folders = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => packageFolder(path));
  const licenses = [...new Set(folders)].flatMap((folder) => (folder === null ? [] : [licenseOf(join(root, folder))]));
  licenses.sort((one, other) => (one.head < other.head ? -1 : 1));
  writeFileSync(file, withEachTextOnce(licenses).join(`\n${'-'.repeat(80)}\n\n`));
}

/** @typedef {{ readonly head: string, readonly text: string }} License */

/**
 * Most packages have the same text, below their own copyright.
 * @param {readonly License[]} licenses
 */
function withEachTextOnce(licenses) {
  /** @type {Map<string, string>} */
  const headOf = new Map();
  return licenses.map(({ head, text }) => {
    const copyrights = text.match(/^\s*Copyright .*$/gm) ?? [];
    const terms = text
      .replaceAll(/^\s*Copyright .*$/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
    const first = headOf.get(terms);
    if (first === undefined) headOf.set(terms, head);
    const shown =
      first === undefined
        ? [text]
        : [...copyrights.map((line) => line.trim()), `The terms are those of ${first} above.`];
    return `${head}\n\n${shown.join('\n')}\n`;
  });
}

/** @param {string} path of a bundled file @returns {string | null} null when the file is our own */
function packageFolder(path) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? null;
}

/** @param {string} folder of a package @returns {License} */
function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0) texts.push(usualText(name, license));
  const more = compiledIn[name];
  if (more !== undefined) texts.push(readFileSync(join(root, more), 'utf8').trim());
  return { head: `${name} ${version} (${license})`, text: texts.join('\n\n') };
}

/**
 * The text for a package that names its licence but contains no licence file.
 * @param {string} name
 * @param {string} license
 */
function usualText(name, license) {
  if (license !== 'MIT') throw new Error(`${name} is bundled, but contains no text of its licence (${license})`);
  return `Copyright (c) the authors of ${name}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR
ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
}
