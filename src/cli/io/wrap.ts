// Breaks lines between words.
import stringWidth from 'string-width';
import { columnsOf, type OutputStream } from './io.js';

/** Wraps text. Ids are never broken, and commands in backticks only if longer than a line. */
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

/** Wraps text for a terminal and keeps indents; other streams get it unchanged. */
export function wrapFor(stream: OutputStream, text: string): string {
  if (stream.isTTY !== true) return text;
  const width = columnsOf(stream);
  const lines = text.split('\n').flatMap((line) => {
    const [indent = ''] = /^ */.exec(line) ?? [];
    return wrap(line.slice(indent.length), width - indent.length).map((part) => indent + part);
  });
  return lines.join('\n');
}
