// Makes a bundle and its source map smaller, to keep the installed package below its size limit.
import { decode, encode } from '@jridgewell/sourcemap-codec';
import ts from 'typescript';

/**
 * Removes the comments from a bundle, and from the source in its map. The declarations keep theirs
 * for editors.
 * @param {string} code
 * @param {string} map
 */
export function withSmallerMap(code, map) {
  return { code: withoutCommentsInClasses(code), map: ofLines(map, withoutComments) };
}

/** @param {string} code in which esbuild keeps comments before members; empty lines replace them */
function withoutCommentsInClasses(code) {
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
  return text.replace(/[ \t]+$/gm, '');
}

/** Returns the source with empty lines in place of its comments. @param {string} source */
function withoutComments(source) {
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
  // Only lines that lost a comment are trimmed: spaces of other lines may be in a text.
  const before = source.split('\n');
  return text
    .split('\n')
    .map((line, at) => (line === before[at] ? line : line.trimEnd()))
    .join('\n');
}

/** Sources whose stack lines are not needed. */
const unmapped = /node_modules|src[\\/]generated[\\/]/;

/**
 * Returns a source map with only the first position of each line: a quarter of the size, and stacks
 * still show lines.
 * @param {string} text
 * @param {(source: string) => string} shortened
 */
function ofLines(text, shortened) {
  const map = JSON.parse(text);
  /** @type {number[]} the places of the sources that stay */
  const keptSources = map.sources.flatMap((/** @type {string} */ path, /** @type {number} */ at) =>
    unmapped.test(path) ? [] : [at],
  );
  const lines = decode(map.mappings).map((line) =>
    line.flatMap((segment, at) => {
      const [column, source, sourceLine = 0, sourceColumn = 0] = segment;
      const [, sourceBefore, lineBefore] = line[at - 1] ?? [];
      if (source === undefined || (source === sourceBefore && sourceLine === lineBefore)) return [];
      const place = keptSources.indexOf(source);
      /** @type {import('@jridgewell/sourcemap-codec').SourceMapSegment} */
      const moved = place < 0 ? [column] : [column, place, sourceLine, sourceColumn];
      return [moved];
    }),
  );
  const sources = keptSources.map((at) => map.sources[at]);
  const sourcesContent = keptSources.map((at) => shortened(map.sourcesContent[at]));
  return JSON.stringify({ ...map, sources, sourcesContent, names: [], mappings: encode(lines) });
}
