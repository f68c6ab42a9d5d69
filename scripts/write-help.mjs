// Writes the help texts of the program and of its nouns into dist/cli/help, so that printing one does not load the commands.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const commands = fileURLToPath(new URL('../src/cli/commands', import.meta.url));

/** @param {string} target the folder that becomes dist/cli, with the bundle in it */
export async function writeHelp(target) {
  const { run } = createRequire(import.meta.url)(join(target, 'bundle/run.cjs'));
  const folder = join(target, 'help');
  mkdirSync(folder, { recursive: true });
  const nouns = readdirSync(commands).filter((file) => file.endsWith('.ts'));
  for (const name of ['fleet', ...nouns.map((file) => basename(file, '.ts'))]) {
    let text = '';
    const stdout = new Writable({
      write(chunk, _encoding, done) {
        text += chunk;
        done();
      },
    });
    const io = { stdin: process.stdin, stdout, stderr: stdout, env: {}, signal: new AbortController().signal };
    const code = await run(name === 'fleet' ? ['--help'] : [name, '--help'], io);
    if (code !== 0) throw new Error(`the help of ${name} could not be written:\n${text}`);
    writeFileSync(join(folder, `${name}.txt`), text);
  }
}
