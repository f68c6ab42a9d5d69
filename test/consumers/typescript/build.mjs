// Compiles the programs with every setting, with declarations of all exports.
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { settings } from './settings.mjs';

for (const program of ['commonjs', 'esm']) cpSync('shared', program, { recursive: true });
for (const { version, program, options, out } of settings) {
  const tsc = (...args) => {
    const command = [`node_modules/typescript-${version}/bin/tsc`, '--project', `tsconfig.${program}.json`];
    try {
      execFileSync(process.execPath, [...command, ...options, ...args], { encoding: 'utf8' });
    } catch (error) {
      throw new Error(`TypeScript ${version} ${options.join(' ')} ${args.join(' ')}\n${error.stdout}${error.stderr}`);
    }
  };
  tsc('--outDir', out);
}
