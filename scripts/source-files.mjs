// The TypeScript sources of the core and of the packages, for checks.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** @returns {readonly string[]} paths from the project's folder, such as src/client.ts */
export function sourceFiles() {
  const folders = ['src', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/src`)];
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
  );
}
