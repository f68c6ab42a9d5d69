// Makes what tsc wrote smaller, so that the installed package stays under its limit.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';

/**
 * Removes the comments from the code. The declarations keep theirs for editors, and the source maps hold the source with all of them.
 * @param {string} folder with the output of tsc
 */
export async function removeComments(folder) {
  const [{ transform }, { default: ts }] = await Promise.all([import('esbuild'), import('typescript')]);
  /** esbuild keeps the comments before members of classes. Spaces in their place leave every position to the source map. @param {string} code */
  const withoutCommentsInClasses = (code) => {
    let text = code;
    /** @param {import('typescript').Node} node */
    const visit = (node) => {
      const ranges = ts.isClassElement(node) ? (ts.getLeadingCommentRanges(code, node.pos) ?? []) : [];
      for (const { pos, end } of ranges) {
        text = text.slice(0, pos) + text.slice(pos, end).replace(/\S/g, ' ') + text.slice(end);
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile('output.js', code, ts.ScriptTarget.ES2023));
    return text;
  };
  await Promise.all(
    filesBelow(folder, '.js').map(async (file) => {
      const code = withoutCommentsInClasses(readFileSync(file, 'utf8'));
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
