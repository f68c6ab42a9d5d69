// Finds the comments of a source text, for the checks that read them.
import ts from 'typescript';

/**
 * @typedef {object} Comment
 * @property {number} start offset of the first character
 * @property {number} end offset behind the last character
 * @property {string} text with its slashes and stars
 */

/**
 * Returns the comments of a TypeScript or JavaScript text. Lines of `//` that follow each other are
 * one comment, except those for a tool (`// @ts-check`, `// biome-ignore`).
 * @param {ts.SourceFile} source
 * @returns {Comment[]}
 */
export function commentsOf(source) {
  const { text } = source;
  /** @type {Comment[]} */
  const comments = [];
  const literals = literalsOf(source);
  const opening = /\/[/*]/g;
  let next = 0;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const start = match.index;
    while (next < literals.length && (literals[next]?.end ?? 0) <= start) next += 1;
    const literal = literals[next];
    if (literal !== undefined && literal.start <= start) {
      opening.lastIndex = literal.end;
      continue;
    }
    const end = endOf(text, start);
    opening.lastIndex = end;
    const last = comments.at(-1);
    const line = text.slice(start, end);
    if (last !== undefined && isContinued(text, last, start)) {
      last.end = end;
      last.text = text.slice(last.start, end);
    } else comments.push({ start, end, text: line });
  }
  return comments;
}

/** Returns the offset behind a comment. @param {string} text @param {number} start */
function endOf(text, start) {
  const isBlock = text[start + 1] === '*';
  const end = isBlock ? text.indexOf('*/', start + 2) + 2 : text.indexOf('\n', start);
  return end < start ? text.length : end;
}

/**
 * Returns true when the line comment at `start` continues the comment before it.
 * @param {string} text @param {Comment} before @param {number} start
 */
function isContinued(text, before, start) {
  if (!text.startsWith('//', start) || !before.text.startsWith('//')) return false;
  if (isForTool(text.slice(start, endOf(text, start))) || isForTool(before.text)) return false;
  const lineStart = text.lastIndexOf('\n', before.start) + 1;
  const isTrailing = text.slice(lineStart, before.start).trim() !== '';
  return !isTrailing && /^\r?\n[ \t]*$/.test(text.slice(before.end, start));
}

/** Returns true for a comment that a tool reads. @param {string} comment */
export function isForTool(comment) {
  return /^(\/\/\/|\/\/ (@ts-|biome-ignore)|\/\*+[ \t]*(@__|v8 |istanbul|@vite|webpack)|\/\/[#@])|^#!/.test(comment);
}

/** @typedef {{ start: number, end: number }} Span */

/**
 * Returns the strings, templates and regular expressions in order.
 * @param {ts.SourceFile} source
 */
function literalsOf(source) {
  /** @type {Span[]} */
  const found = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (isLiteral(node)) found.push({ start: node.getStart(source), end: node.end });
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return found.sort((one, other) => one.start - other.start);
}

/** Returns true for a literal that can hold `//`. @param {ts.Node} node */
function isLiteral(node) {
  return (
    ts.isStringLiteral(node) ||
    ts.isRegularExpressionLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node) ||
    ts.isJsxText(node)
  );
}
