// @ts-check
// A Markdown report: printed while it grows, written when it is complete.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

export class Report {
  /** @type {string[]} */
  #lines = [];
  /** @type {string[]} */
  #missed = [];

  /** @param {string} line */
  text(line) {
    this.#lines.push(line);
    process.stdout.write(`${line}\n`);
  }

  /** @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
  table(head, rows) {
    this.text('');
    this.text(`| ${head.join(' | ')} |`);
    this.text(`|${head.map((_, place) => (place === 0 ? '---' : '---:')).join('|')}|`);
    for (const row of rows) this.text(`| ${row.join(' | ')} |`);
    this.text('');
  }

  /**
   * What a target asks for, and whether it is met.
   * @param {string} target
   * @param {boolean} met
   */
  target(target, met) {
    if (!met) this.#missed.push(target);
    return met ? `${target}: met` : `${target}: **missed**`;
  }

  get missed() {
    return this.#missed;
  }

  /** @param {URL} file */
  write(file) {
    writeFileSync(file, `${this.#lines.join('\n').trim()}\n`);
  }
}

/** The machine in a line: enough to read the figures by, nothing that tells whose it is. */
export const machine = () =>
  `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} cores shared with other work`;
