// Makes what tsc wrote smaller, so that the installed package stays under its limit.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';

/**
 * Removes the comments from the code. The declarations keep theirs for editors, and the source maps hold the source with all of them.
 * @param {string} folder with the output of tsc
 */
export async function removeComments(folder) {
  const { transform } = await import('esbuild');
  await Promise.all(
    filesBelow(folder, '.js').map(async (file) => {
      const code = readFileSync(file, 'utf8');
      const mapFile = `${file}.map`;
      if (!existsSync(mapFile)) {
        writeFileSync(file, (await transform(code, { legalComments: 'none' })).code);
        return;
      }
      // esbuild takes the map of its input from the last line, and then writes a map that leads to the source.
      const map = readFileSync(mapFile, 'utf8');
      const inline = Buffer.from(map).toString('base64');
      const result = await transform(
        code.replace(/^\/\/# sourceMappingURL=.*$/m, `//# sourceMappingURL=data:application/json;base64,${inline}`),
        { legalComments: 'none', sourcemap: 'external', sourcefile: basename(file) },
      );
      writeFileSync(file, `${result.code}//# sourceMappingURL=${basename(mapFile)}\n`);
      // The map of a module of types only is empty, and esbuild would take the output for the source.
      if (JSON.parse(map).mappings !== '') writeFileSync(mapFile, result.map);
    }),
  );
}

/** @param {string} folder @param {string} ending */
function filesBelow(folder, ending) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith(ending)).map((file) => resolve(folder, file));
}
