// The TypeScript blocks of the documents as user modules: provided names are imported, all blocks
// are compiled strictly at once, and the output can be run.
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { Block } from './markdown.js';
import { type Workshop, withServiceUrl } from './workshop.js';

/** Names that a block may use without importing them, as docs/sdk.md and docs/methods.md say. */
const provided = [
  ...['fleet', 'service', 'ids', 'from', 'to', 'vehicleId', 'driverId', 'personId', 'deviceId', 'tokenId'],
  ...['groupId', 'otherGroupId', 'geofenceId', 'roleId', 'ruleId', 'scheduleId'],
];

export interface Module {
  readonly block: Block;
  readonly script: string;
}

export interface Program {
  readonly modules: readonly Module[];
  readonly compileErrors: readonly string[];
}

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  // As in the projects that Nest creates.
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  // Only the documents' own code is checked, not the declarations of packages.
  skipLibCheck: true,
  types: ['node'],
};

export function compile(blocks: readonly Block[], workshop: Workshop): Program {
  const { folder } = workshop;
  const provider = join(folder, 'provided.ts');
  copyFileSync(fileURLToPath(new URL('./provided.ts', import.meta.url)), provider);
  const named = new Map<string, Block>();
  const modules = blocks.map((block, place): Module => {
    const name = `block-${String(place).padStart(3, '0')}${isTest(block) ? '.test' : ''}`;
    const source = join(folder, `${name}.ts`);
    // On the block's first line, to keep its line numbers.
    writeFileSync(source, `${preamble(block.code)}${withServiceUrl(block.code, workshop)}`);
    named.set(source, block);
    return { block, script: join(folder, `${name}.js`) };
  });
  const program = programOf([provider, ...named.keys()], workshop, {});
  const compileErrors = ts.getPreEmitDiagnostics(program).map((diagnostic) => describeDiagnostic(diagnostic, named));
  program.emit();
  return { modules, compileErrors };
}

export function check(files: readonly string[], workshop: Workshop): readonly string[] {
  const program = programOf(files, workshop, { allowJs: true, checkJs: true, noEmit: true });
  return ts.getPreEmitDiagnostics(program).map((diagnostic) => describeDiagnostic(diagnostic, new Map()));
}

function programOf(files: readonly string[], { folder }: Workshop, more: ts.CompilerOptions): ts.Program {
  return ts.createProgram(files, { ...options, ...more, typeRoots: [join(folder, 'node_modules/@types')] });
}

/** Blocks with tests of users run in vitest. */
export function isTest({ code }: Block): boolean {
  return /from 'vitest'/.test(code);
}

function preamble(code: string): string {
  const missing = provided.filter((name) => uses(code, name) && !declares(code, name));
  return missing.length === 0 ? '' : `import { ${missing.join(', ')} } from './provided.js'; `;
}

function uses(code: string, name: string): boolean {
  return new RegExp(`(?<![.'/\\w-])${name}\\b(?!['\\w-]|:(?! \\w+ \\?))`).test(code);
}

function declares(code: string, name: string): boolean {
  return (
    new RegExp(`\\b(?:const|let|using|function|class) ${name}\\b`).test(code) ||
    new RegExp(`\\b(?:const|let) \\{[^}]*\\b${name}\\b[^}]*\\} =`).test(code)
  );
}

function describeDiagnostic({ file, start, messageText }: ts.Diagnostic, named: ReadonlyMap<string, Block>): string {
  const text = ts.flattenDiagnosticMessageText(messageText, '\n');
  if (!file) return text;
  const line = ts.getLineAndCharacterOfPosition(file, start ?? 0).line;
  const block = named.get(file.fileName);
  return block ? `${block.file}:${block.line + line}: ${text}` : `${file.fileName}:${line + 1}: ${text}`;
}
