// Makes the pages that describe the command line, by file name.
import manifest from '../../package.json' with { type: 'json' };
import { manualOf } from './manual.js';
import { markdownOf } from './markdown.js';
import { readTree } from './tree.js';

export async function pages(): Promise<Readonly<Record<string, string>>> {
  const program = await readTree();
  return { 'docs/cli.md': markdownOf(program), 'man/fleet.1': manualOf(program, manifest.version) };
}
