// Makes what tsc wrote smaller, so that the installed package stays under its limit.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';

/**
 * Removes the comments from the code and from the source in its maps. The declarations keep theirs for editors.
 * @param {string} folder with the output of tsc
 */
export async function removeComments(folder) {
  const [{ transform }, { default: ts }] = await Promise.all([import('esbuild'), import('typescript')]);
  /** esbuild keeps the comments before members of classes. Spaces in their place leave every position to the source map. @param {string} code */
  const withoutCommentsInClasses = (code) => {
    let text = code;
    /** @param {import('typescript').Node} node */
    const visit = (node) => {
      const ranges = ts.isClassElement(node) ? (ts.getLeadingCommentRanges(code, node.pos) ?? []) : [];
      for (const { pos, end } of ranges) {
        text = text.slice(0, pos) + text.slice(pos, end).replace(/\S/g, ' ') + text.slice(end);
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile('output.js', code, ts.ScriptTarget.ES2023));
    return text;
  };
  await Promise.all(
    filesBelow(folder, '.js').map(async (file) => {
      const code = withoutCommentsInClasses(readFileSync(file, 'utf8'));
      const mapFile = `${file}.map`;
      if (!existsSync(mapFile)) {
        // Nobody looks for its lines in a stack, but for the names of its functions.
        writeFileSync(file, (await transform(code, { legalComments: 'none', minify: true, keepNames: true })).code);
        return;
      }
      // esbuild takes the map of its input from the last line, and then writes a map that leads to the source.
      const map = readFileSync(mapFile, 'utf8');
      const inline = Buffer.from(map).toString('base64');
      const result = await transform(
        code.replace(/^\/\/# sourceMappingURL=.*$/m, `//# sourceMappingURL=data:application/json;base64,${inline}`),
        { legalComments: 'none', sourcemap: 'external', sourcefile: basename(file) },
      );
      writeFileSync(file, `${result.code}//# sourceMappingURL=${basename(mapFile)}\n`);
      // The map of a module of types only is empty, and esbuild would take the output for the source.
      if (JSON.parse(map).mappings !== '')
        writeFileSync(
          mapFile,
          ofLines(result.map, (source) => withoutComments(ts, source)),
        );
    }),
  );
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * Returns the source with empty lines in place of its comments.
 * @param {typeof import('typescript')} ts @param {string} source
 */
function withoutComments(ts, source) {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.ES2023);
  let text = source;
  /** @param {import('typescript').Node} node */
  const visit = (node) => {
    const children = node.getChildren(file);
    children.forEach(visit);
    if (children.length > 0) return;
    for (const { pos, end } of ts.getLeadingCommentRanges(source, node.pos) ?? []) blank(pos, end);
    for (const { pos, end } of ts.getTrailingCommentRanges(source, node.end) ?? []) blank(pos, end);
  };
  /** @param {number} pos @param {number} end */
  const blank = (pos, end) => {
    text = text.slice(0, pos) + text.slice(pos, end).replace(/\S/g, ' ') + text.slice(end);
  };
  visit(file);
  // A line that differs has lost a comment: the others keep their spaces, which may be in a text.
  const before = source.split('\n');
  return text
    .split('\n')
    .map((line, at) => (line === before[at] ? line : line.trimEnd()))
    .join('\n');
}

/**
 * Returns a source map without the columns: a quarter of the size.
 * @param {string} text @param {(source: string) => string} shortened
 */
function ofLines(text, shortened) {
  const map = JSON.parse(text);
  // Each number is the difference to the one before: source, line and column count on through the map, the position begins anew in each line.
  /** @type {[source: number, line: number, column: number]} */
  let at = [0, 0, 0];
  let written = at;
  const lines = map.mappings.split(';').map((/** @type {string} */ line) => {
    let position = 0;
    let writtenPosition = 0;
    const kept = [];
    for (const segment of line === '' ? [] : line.split(',')) {
      const [move = 0, source = 0, sourceLine = 0, column = 0] = numbersIn(segment);
      position += move;
      at = [at[0] + source, at[1] + sourceLine, at[2] + column];
      if (kept.length > 0 && at[0] === written[0] && at[1] === written[1]) continue;
      const moves = [position - writtenPosition, at[0] - written[0], at[1] - written[1], at[2] - written[2]];
      kept.push(moves.map(textOf).join(''));
      writtenPosition = position;
      written = at;
    }
    return kept.join(',');
  });
  const sourcesContent = map.sourcesContent.map(shortened);
  return JSON.stringify({ ...map, sourcesContent, names: [], mappings: lines.join(';') });
}

/** Returns the numbers of a segment: five bits per digit, the lowest first, the sign in the lowest bit. @param {string} segment */
function numbersIn(segment) {
  const numbers = [];
  let value = 0;
  let shift = 0;
  for (const digit of segment) {
    const bits = digits.indexOf(digit);
    value |= (bits & 31) << shift;
    shift += 5;
    if (bits < 32) {
      numbers.push(value & 1 ? -(value >> 1) : value >> 1);
      value = 0;
      shift = 0;
    }
  }
  return numbers;
}

/** Returns a number as digits. @param {number} number */
function textOf(number) {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1;
  let text = '';
  do {
    text += digits[(rest & 31) | (rest > 31 ? 32 : 0)];
    rest >>= 5;
  } while (rest > 0);
  return text;
}

/** @param {string} folder @param {string} ending */
function filesBelow(folder, ending) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith(ending)).map((file) => resolve(folder, file));
}
