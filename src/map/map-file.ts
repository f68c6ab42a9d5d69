// The file that `fleet map --file` writes. Loaded only by that command.
import { filePage, type PageAssets, readAssets } from './page-html.js';
import type { FileSetup } from './shapes.js';

/** Null when the page has not been built. */
export function mapFile(setup: FileSetup, assets: PageAssets | null = readAssets()): string | null {
  return assets === null ? null : filePage(assets, setup);
}
