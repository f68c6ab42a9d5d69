// Makes what tsc wrote smaller, so that the installed package stays under its limit.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { decode, encode } from '@jridgewell/sourcemap-codec';

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
 * Returns a source map with the first position of each line of the source: a quarter of the size, and stacks show lines.
 * @param {string} text @param {(source: string) => string} shortened
 */
function ofLines(text, shortened) {
  const map = JSON.parse(text);
  const lines = decode(map.mappings).map((line) =>
    line.filter(([, source, sourceLine], at) => {
      const [, sourceBefore, lineBefore] = line[at - 1] ?? [];
      return source !== sourceBefore || sourceLine !== lineBefore;
    }),
  );
  const sourcesContent = map.sourcesContent.map(shortened);
  return JSON.stringify({ ...map, sourcesContent, names: [], mappings: encode(withoutNames(lines)) });
}

/** @param {import('@jridgewell/sourcemap-codec').SourceMapMappings} lines @returns {import('@jridgewell/sourcemap-codec').SourceMapMappings} */
function withoutNames(lines) {
  return lines.map((line) =>
    line.map((segment) => (segment.length === 5 ? [segment[0], segment[1], segment[2], segment[3]] : segment)),
  );
}

/** @param {string} folder @param {string} ending */
function filesBelow(folder, ending) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith(ending)).map((file) => resolve(folder, file));
}
