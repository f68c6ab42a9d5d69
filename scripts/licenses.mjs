// Writes the licence texts of the packages that a bundle contains, as in esbuild's metafile.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './source-files.mjs';

/** @type {Readonly<Record<string, string>>} licences of compiled-in code, missing in the package */
const compiledIn = {
  'jq-wasm': 'scripts/licenses-in-jq-wasm.txt',
  '@modelcontextprotocol/server': 'scripts/licenses-in-mcp-server.txt',
};

/**
 * @param {import('esbuild').Metafile} metafile
 * @param {string} file
 */
export function writeLicenses({ outputs }, file) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  // A file without bytes after tree shaking is not in the bundle.
  const folders = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => packageFolder(path));
  const licenses = [...new Set(folders)].flatMap((folder) => (folder === null ? [] : [licenseOf(join(root, folder))]));
  licenses.sort((one, other) => (one.head < other.head ? -1 : 1));
  writeFileSync(file, withEachTextOnce(licenses).join(`\n${'-'.repeat(80)}\n\n`));
}

/** @typedef {{ readonly head: string, readonly text: string }} License */

/** @param {readonly License[]} licenses each text is printed once, below its copyrights */
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

/** @param {string} name the package of a page that may be mailed without the licence file */
export function licenseOfPackage(name) {
  const { head, text } = licenseOf(join(root, 'node_modules', name));
  return `${head}\n\n${text}\n`;
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

/** @type {Readonly<Record<string, string>>} */
const usualTexts = {
  MIT: `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR
ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
  'BSD-3-Clause': `Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following conditions
are met:

1. Redistributions of source code must retain the above copyright notice, this list of conditions and the following disclaimer.

2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following disclaimer in the
documentation and/or other materials provided with the distribution.

3. Neither the name of the copyright holder nor the names of its contributors may be used to endorse or promote products derived from this
software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT
LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT
HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT
LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY
THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.`,
};

/**
 * Returns the text for a package that names its licence but contains no licence file.
 * @param {string} name
 * @param {string} license
 */
function usualText(name, license) {
  const terms = usualTexts[license];
  if (terms === undefined) throw new Error(`${name} is bundled, but contains no text of its licence (${license})`);
  return `Copyright (c) the authors of ${name}\n\n${terms}`;
}
