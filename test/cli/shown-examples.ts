// Collects every example in --help, the man page, and the shell blocks of the documents.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandPage, readTree } from '../../codegen/cli-docs/tree.js';
import { pages, root } from '../docs/markdown.js';

export interface Shown {
  /** The first place with it: `fleet vehicles get --help`, `README.md:67`. */
  readonly where: string;
  readonly line: string;
}

/** Returns each line once, even if several places show it. */
export async function shownExamples(): Promise<readonly Shown[]> {
  const sources = [helpExamples(await readTree()), manualExamples(), documentExamples()];
  if (sources.some((found) => found.length === 0)) throw new TypeError('no example was found in one of the sources');
  const unique = new Map<string, Shown>();
  for (const shown of sources.flat()) if (!unique.has(shown.line)) unique.set(shown.line, shown);
  return [...unique.values()];
}

function helpExamples(page: CommandPage): readonly Shown[] {
  const here = page.examples
    .filter(({ command }) => !isLineOfFile(command))
    .map(({ command }) => ({ where: `${page.name} --help`, line: command }));
  return [...here, ...page.commands.flatMap(helpExamples)];
}

/** In the man page a line that begins with `# ` describes the next one. */
function manualExamples(): readonly Shown[] {
  const text = readFileSync(join(root, 'man/fleet.1'), 'utf8');
  const blocks = text.matchAll(/^Examples:\n\.PP\n\.RS 4\n\.nf\n([\s\S]*?)^\.fi$/gm);
  const lines = [...blocks].flatMap(([, block = '']) => block.trimEnd().split('\n').map(fromRoff));
  return lines
    .filter((line) => !line.startsWith('# ') && !isLineOfFile(line))
    .map((line) => ({ where: 'man fleet', line }));
}

function documentExamples(): readonly Shown[] {
  return pages().flatMap(({ file, blocks }) =>
    blocks
      .filter(({ language }) => language === 'sh')
      .flatMap(({ code, line }) =>
        code.split('\n').map((text, place) => ({ where: `${file}:${line + place}`, line: text })),
      )
      .map((shown) => ({ ...shown, line: shown.line.replace(/ +# .*$/, '').trim() }))
      .filter(({ line }) => /\bfleet /.test(line) && !line.startsWith('#')),
  );
}

/** Help texts show the first line of a table. */
function isLineOfFile(line: string): boolean {
  return /^\w+(,\w+)+$/.test(line);
}

/** Reverses the escapes of codegen/cli-docs/manual.ts. */
function fromRoff(line: string): string {
  return line
    .replace(/^\\&/, '')
    .replaceAll('\\(ti', '~')
    .replaceAll('\\(ha', '^')
    .replaceAll('\\(em', '—')
    .replaceAll('\\(pc', '·')
    .replaceAll('...', '…')
    .replaceAll('\\-', '-')
    .replaceAll('\\e', '\\');
}
