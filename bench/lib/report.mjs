// @ts-check
// A Markdown report that is printed while it grows, and written to a file when it is complete.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

export class Report {
  /** @type {string[]} */
  #lines = [];

  /** One empty line after another is one. @param {string} line */
  text(line) {
    if (line === '' && this.#lines.at(-1) === '') return;
    this.#lines.push(line);
    process.stdout.write(`${line}\n`);
  }

  /**
   * @param {readonly string[]} head
   * @param {readonly (readonly string[])[]} rows
   * @param {'figures' | 'words'} [holds] in all columns but the first: figures stand at the right
   */
  table(head, rows, holds = 'figures') {
    this.text('');
    this.text(`| ${head.join(' | ')} |`);
    this.text(`|${head.map((_, place) => (place === 0 || holds === 'words' ? '---' : '---:')).join('|')}|`);
    for (const row of rows) this.text(`| ${row.join(' | ')} |`);
    this.text('');
  }

  /**
   * Takes over what another report says, without printing it again.
   * @param {Report} other
   */
  append(other) {
    this.#lines.push(...other.#lines);
  }

  /**
   * What a target asks for, and whether it is met.
   * @param {string} target
   * @param {boolean} met
   */
  target(target, met) {
    return met ? `${target}: met` : `${target}: **missed**`;
  }

  /** @param {URL} file */
  write(file) {
    writeFileSync(file, `${this.#lines.join('\n').trim()}\n`);
  }
}

/** The machine in a line: enough to read the figures by, nothing that tells whose it is. */
export const machine = () =>
  `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} cores shared with other work`;
