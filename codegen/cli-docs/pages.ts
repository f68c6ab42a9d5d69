// The pages that are written from the commands, by the names of their files.
import manifest from '../../package.json' with { type: 'json' };
import { manualOf } from './manual.js';
import { markdownOf } from './markdown.js';
import { readTree } from './tree.js';

export async function pages(): Promise<Readonly<Record<string, string>>> {
  const program = await readTree();
  return { 'docs/cli.md': markdownOf(program), 'man/fleet.1': manualOf(program, manifest.version) };
}
