// @ts-check
// Refuses what is not plain English: openings of a comment without a verb or an article, comment
// lines over 100 columns, retired words in names, and long sentences in documents. `npm run lint`
// runs this.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { commentsOf, isForTool } from './comments.mjs';
import { markdownProblems } from './markdown.mjs';
import { root } from './source-files.mjs';

/** Longest line of a comment. */
const columns = 100;

/** A comment begins with a verb or a noun phrase, not with one of these. */
const opening = /^(What|Whether|Who|Whose|Whom|Those|Of|The same|So|One that)\b/;

/** Words that no name contains. The field has its own word for each of these. */
const retired =
  /^(told|tell|tells|reborn|born|ripened|way|ways|doubtful|odd|beside|surroundings|slip|slips|heard|hear|meant)$/;

/** Participles that are no name by themselves, nor the first word of a type. */
const participles = /^(given|kept|known|asked|taken|wanted|forgotten)$/;

/** Names that may break a rule, as `path: name`. @type {ReadonlySet<string>} */
const allowed = new Set();

/** Documents that programs write. */
const generated = ['docs/methods.md', 'bench/RESULTS.md'];

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
  .split('\0')
  .filter((path) => !path.startsWith('src/generated/') && existsSync(join(root, path)));

for (const path of files) {
  if (/\.(ts|mts|mjs|cjs|js)$/.test(path)) checkSource(path, readFileSync(join(root, path), 'utf8'));
  else if (path.endsWith('.md') && !/^(\.|api\/)/.test(path) && !generated.includes(path))
    for (const { line, problem } of markdownProblems(readFileSync(join(root, path), 'utf8')))
      report(path, line, problem);
}

/** @param {string} path @param {string} text */
function checkSource(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  for (const { start, text: comment } of commentsOf(source)) checkComment(path, text, start, comment);
  checkNames(path, source);
}

/** @param {string} path @param {string} text @param {number} start @param {string} comment */
function checkComment(path, text, start, comment) {
  const line = text.slice(0, start).split('\n').length;
  const word = opening.exec(comment.replace(/^[/*\s]+/, ''))?.[0];
  if (word !== undefined && !isForTool(comment))
    report(path, line, `the comment begins with "${word}". Begin with a verb ("Returns…") or an article.`);
  const lineStart = text.lastIndexOf('\n', start) + 1;
  const whole = text.slice(lineStart, start) + comment;
  for (const [index, content] of whole.split('\n').entries())
    if (content.length > columns && !isForTool(content.trim()) && !/https?:\/\/\S{60}/.test(content))
      report(path, line + index, `the comment's line has ${content.length} columns, ${columns} are allowed.`);
}

/** @param {string} path @param {ts.SourceFile} source */
function checkNames(path, source) {
  /** @param {ts.Node} node */
  const visit = (node) => {
    const name = declaredName(node);
    if (name !== undefined && !allowed.has(`${path}: ${name.text}`)) {
      const word = retiredWordIn(name.text);
      const { line } = source.getLineAndCharacterOfPosition(name.getStart(source));
      if (word !== undefined) report(path, line + 1, `"${word}" in the name ${name.text} is a retired word.`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

/**
 * Returns the identifier that a node declares.
 * @param {ts.Node} node
 * @returns {ts.Identifier | undefined}
 */
function declaredName(node) {
  const declares =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertySignature(node);
  if (!declares || node.name === undefined) return undefined;
  return ts.isIdentifier(node.name) ? node.name : undefined;
}

/** Returns the retired word in a name. @param {string} name @returns {string | undefined} */
function retiredWordIn(name) {
  const words = name.split(/(?=[A-Z])|[_$]|\d+/).filter((word) => word !== '');
  const anywhere = words.find((word) => retired.test(word.toLowerCase()));
  if (anywhere !== undefined) return anywhere;
  const [first = ''] = words;
  const isAlone = words.length === 1 || /^[A-Z]/.test(name);
  return isAlone && participles.test(first.toLowerCase()) ? first : undefined;
}

/** @param {string} path @param {number} line @param {string} problem */
function report(path, line, problem) {
  process.stdout.write(`${path}:${line}: ${problem}\n`);
  process.exitCode = 1;
}
