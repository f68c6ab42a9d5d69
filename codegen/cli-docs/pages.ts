// Creates the generated pages: those of the command line, and the methods with their commands.
import manifest from '../../package.json' with { type: 'json' };
import { methodsPage } from '../methods-page.js';
import { manualOf } from './manual.js';
import { markdownOf } from './markdown.js';
import { readTree } from './tree.js';

export async function pages(root: string): Promise<Readonly<Record<string, string>>> {
  const program = await readTree();
  return {
    'docs/cli.md': markdownOf(program),
    'docs/methods.md': methodsPage(root, program),
    'man/fleet.1': manualOf(program, manifest.version),
  };
}
