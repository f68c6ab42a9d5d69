// @ts-check
// A Markdown report that is printed as it grows, and written to a file at the end.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

export class Report {
  /** @type {string[]} */
  #lines = [];

  /**
   * Prints a line; consecutive empty lines become one.
   * @param {string} line
   */
  text(line) {
    if (line === '' && this.#lines.at(-1) === '') return;
    this.#lines.push(line);
    process.stdout.write(`${line}\n`);
  }

  /**
   * @param {readonly string[]} head
   * @param {readonly (readonly string[])[]} rows
   * @param {'figures' | 'words'} [holds] content after the first column; figures are right-aligned
   */
  table(head, rows, holds = 'figures') {
    this.text('');
    this.text(`| ${head.join(' | ')} |`);
    this.text(`|${head.map((_, place) => (place === 0 || holds === 'words' ? '---' : '---:')).join('|')}|`);
    for (const row of rows) this.text(`| ${row.join(' | ')} |`);
    this.text('');
  }

  /**
   * Adds the lines of another report without printing them again.
   * @param {Report} other
   */
  append(other) {
    this.#lines.push(...other.#lines);
  }

  /**
   * Returns a target and its outcome.
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

/** Describes the machine in a line, without identifying it. */
export const machine = () =>
  `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} cores shared with other work`;
