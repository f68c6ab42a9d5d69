// Finds the sentences and lines of a Markdown text that are longer than the rules allow.

/** Longest line, tables and code aside. */
const columns = 120;

/** Most words of a sentence. */
const words = 25;

/** Most lines of an item of a list. */
const itemLines = 3;

/**
 * Returns the problems of a Markdown text, each with its line.
 * @param {string} text
 * @returns {{ line: number, problem: string }[]}
 */
export function markdownProblems(text) {
  /** @type {{ line: number, problem: string }[]} */
  const problems = [];
  for (const { line, lines, isItem } of blocksOf(text)) {
    for (const [index, content] of lines.entries())
      if (content.length > columns && /\s/.test(content.trim().slice(2)) && !/https?:\/\/\S{40}/.test(content))
        problems.push({
          line: line + index,
          problem: `the line has ${content.length} columns, ${columns} are allowed.`,
        });
    if (isItem && lines.length > itemLines)
      problems.push({ line, problem: `the item of the list has ${lines.length} lines, ${itemLines} are allowed.` });
    for (const sentence of sentencesOf(lines.join(' '))) {
      const count = sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
      if (count > words)
        problems.push({
          line,
          problem: `a sentence has ${count} words, ${words} are allowed: "${sentence.slice(0, 60)}…"`,
        });
    }
  }
  return problems;
}

/** @typedef {{ line: number, lines: string[], isItem: boolean }} Block */

/**
 * Returns the paragraphs and items of lists, without code, tables, comments, headings and pictures.
 * @param {string} text
 */
function blocksOf(text) {
  /** @type {Block[]} */
  const blocks = [];
  /** @type {Block | null} */
  let block = null;
  let fence = '';
  let isComment = false;
  for (const [index, content] of text.split('\n').entries()) {
    const mark = /^\s*(```+|~~~+)/.exec(content)?.[1] ?? '';
    if (fence !== '' || mark !== '') {
      fence = fence === '' ? mark : mark.startsWith(fence) ? '' : fence;
      block = null;
      continue;
    }
    isComment ||= content.trim().startsWith('<!--');
    const isText = !isComment && content.trim() !== '' && !/^\s*(\||#|!\[|<|---$)/.test(content);
    if (isComment && content.includes('-->')) isComment = false;
    if (!isText) {
      block = null;
      continue;
    }
    const isItem = /^\s*([-*]|\d+\.)\s/.test(content);
    if (block === null || isItem) {
      block = { line: index + 1, lines: [], isItem };
      blocks.push(block);
    }
    block.lines.push(content);
  }
  return blocks;
}

/**
 * Returns the sentences of a paragraph, with a code span or a link as one word.
 * @param {string} paragraph
 */
function sentencesOf(paragraph) {
  const plain = paragraph
    .replace(/^\s*([-*]|\d+\.)\s+/, '')
    .replaceAll(/`[^`]*`/g, 'code')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1');
  return plain.split(/(?<=[.:;?!])\s+|\s+—\s+/);
}
