// TypeScript's language service for a user's program: types and documentation at places in it.
// Places are marked with `/*name*/` in the text, before their word.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));
const file = join(root, 'test/types/program-in-the-editor.ts');

export interface Hover {
  readonly type: string;
  readonly says: string;
}

export interface Editor {
  readonly problems: readonly string[];
  hover(mark: string): Hover;
}

export function open(text: string): Editor {
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).compilerOptions, incremental: false },
    root,
  );
  const service = ts.createLanguageService(
    {
      getScriptFileNames: () => [file],
      getScriptVersion: () => '1',
      getScriptSnapshot(name) {
        const content = name === file ? text : ts.sys.readFile(name);
        return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
      },
      getCurrentDirectory: () => dirname(file),
      getCompilationSettings: () => options,
      getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
      fileExists: (name) => name === file || ts.sys.fileExists(name),
      readFile: (name) => (name === file ? text : ts.sys.readFile(name)),
      directoryExists: ts.sys.directoryExists,
      getDirectories: ts.sys.getDirectories,
    },
    ts.createDocumentRegistry(),
  );
  const problems = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)];
  return {
    problems: problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    hover(mark) {
      const at = text.indexOf(`/*${mark}*/`);
      if (at < 0) throw new Error(`the program has no mark ${mark}`);
      const info = service.getQuickInfoAtPosition(file, at + mark.length + 4);
      return {
        type: ts.displayPartsToString(info?.displayParts),
        says: ts.displayPartsToString(info?.documentation),
      };
    },
  };
}
