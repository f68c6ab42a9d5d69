// Reads the documents: code blocks with their options, links and headings.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Block {
  readonly file: string;
  readonly line: number;
  readonly language: string;
  /** Options after the language: `no-run`, `server`, `exit-10` for a dry run with differences. */
  readonly words: readonly string[];
  readonly code: string;
  /** Reason for not running it, from a comment before it. */
  readonly reason: string | null;
  /** Expected output: the next block, separated by white space only. */
  readonly output: string | null;
}

export interface Page {
  readonly file: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** Generated from the command line's help, with placeholders in its examples. */
export const generated: readonly string[] = ['docs/cli.md'];

const outputLanguages = ['text', 'json', 'csv'];

export function pages(): readonly Page[] {
  const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const files = [
    ...readdirSync(root).filter((name) => name.endsWith('.md')),
    ...docs.sort().map((name) => `docs/${name}`),
    'examples/README.md',
    ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`),
  ];
  return files.map((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return { file, text, blocks: blocksOf(file, text) };
  });
}

function blocksOf(file: string, text: string): readonly Block[] {
  const fence = /^```([\w-]+)?([^\n]*)\n([\s\S]*?)^```$/gm;
  const found = [...text.matchAll(fence)];
  return found.map((match, place) => {
    const [whole, language = '', words = '', code = ''] = match;
    const before = text.slice(0, match.index);
    const end = match.index + whole.length;
    const next = found[place + 1];
    const isOutput =
      next !== undefined && outputLanguages.includes(next[1] ?? '') && text.slice(end, next.index).trim() === '';
    return {
      file,
      line: before.split('\n').length + 1,
      language,
      words: words.trim().split(/\s+/).filter(Boolean),
      code,
      reason: /<!-- not run: (.+) -->\s*$/.exec(before)?.[1] ?? null,
      output: isOutput ? (next[3] ?? '') : null,
    };
  });
}

/** `…` in an expected line matches any text; a line of only `…` matches any lines. */
export function shows(expected: string, actual: string): boolean {
  const pattern = expected
    .trimEnd()
    .split('\n')
    .map((line) =>
      line.trim() === '…'
        ? '(?:.*\n)*?.*'
        : line
            .split('…')
            .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
            .join('.*'),
    )
    .join('\n');
  return new RegExp(`^${pattern}$`).test(actual.replace(/[ \t]+$/gm, '').trimEnd());
}

export interface Link {
  readonly target: string;
  readonly line: number;
}

export function linksOf({ text }: Page): readonly Link[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, (block) => block.replace(/[^\n]/g, '')).replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => ({
    target: match[1] ?? '',
    line: prose.slice(0, match.index).split('\n').length,
  }));
}

export function anchorsOf(text: string): readonly string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] ?? '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}

/** Returns the target of a relative link as a path in the project and an anchor. */
export function targetOf(page: Page, target: string): { readonly path: string; readonly anchor: string | null } {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page.file : relative(root, resolve(root, dirname(page.file), path));
  return { path: file, anchor: anchor ?? null };
}
