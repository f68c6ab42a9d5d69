// Writes the help texts of the program, its own nouns and the topics of `fleet help` into
// dist/cli/help, so that printing one does not load the commands.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const registry = fileURLToPath(new URL('../src/cli/run/registry.ts', import.meta.url));

/** @param {string} target the folder that becomes dist/cli, with the bundle in it */
export async function writeHelp(target) {
  const { run } = createRequire(import.meta.url)(join(target, 'bundle/run.cjs'));
  const folder = join(target, 'help');
  mkdirSync(folder, { recursive: true });
  const nouns = [...readFileSync(registry, 'utf8').matchAll(/^ {2}(\w+): \[(?!.*fromPackage)/gm)].map(
    ([, noun = '']) => noun,
  );
  const pages = {
    fleet: ['--help'],
    ...Object.fromEntries(nouns.map((noun) => [noun, [noun, '--help']])),
    ...Object.fromEntries(['options', 'environment', 'exit-codes'].map((topic) => [`help-${topic}`, ['help', topic]])),
  };
  for (const [name, words] of Object.entries(pages)) {
    let text = '';
    const stdout = new Writable({
      write(chunk, _encoding, done) {
        text += chunk;
        done();
      },
    });
    const io = { stdin: process.stdin, stdout, stderr: stdout, env: {}, signal: new AbortController().signal };
    const code = await run(words, io);
    if (code !== 0) throw new Error(`the help text ${name} could not be written:\n${text}`);
    writeFileSync(join(folder, `${name}.txt`), text);
  }
}
