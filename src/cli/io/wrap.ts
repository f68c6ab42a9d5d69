// Breaks lines between words, for people.
import stringWidth from 'string-width';
import { columnsOf, type OutputStream } from './io.js';

/** A long word, such as an id, is never broken, and a command in backticks is not where it fits into a line, so that it can be copied. */
export function wrap(text: string, width: number | undefined): readonly string[] {
  if (width === undefined || stringWidth(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of unitsOf(text, width)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && stringWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line].map((one) => one.trimEnd());
}

/** Words, and commands in backticks as one. */
function unitsOf(text: string, width: number): readonly string[] {
  const units: string[] = [];
  let open: string[] = [];
  for (const word of text.split(' ')) {
    open.push(word);
    const unit = open.join(' ');
    if (unit.split('`').length % 2 === 0) continue;
    units.push(...(stringWidth(unit) <= width ? [unit] : open));
    open = [];
  }
  return [...units, ...open];
}

/** Lines for a stream: a terminal would break them in the middle of words. What is indented stays so. */
export function wrapFor(stream: OutputStream, text: string): string {
  if (stream.isTTY !== true) return text;
  const width = columnsOf(stream);
  const lines = text.split('\n').flatMap((line) => {
    const [indent = ''] = /^ */.exec(line) ?? [];
    return wrap(line.slice(indent.length), width - indent.length).map((part) => indent + part);
  });
  return lines.join('\n');
}
