// The TypeScript of the core and of the packages, for the checks that read it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Returns the paths of the sources from the project's folder: `src/client.ts`, `packages/map/src/day.ts`. @returns {readonly string[]} */
export function sourceFiles() {
  const folders = ['src', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/src`)];
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
  );
}
