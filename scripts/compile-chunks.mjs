// Writes beside the files of the command line what they are compiled to, and the help texts as they are printed most. Run by the build,
// in a process of its own: prints the help of every noun and lists vehicles, so that the functions that are used then need not be compiled again when somebody does that.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

const [dist = ''] = process.argv.slice(2);
const { loadChunk, chunks, compiledEnding } = createRequire(import.meta.url)(join(dist, 'cli/main.cjs'));
const { createMockService } = await import(pathToFileURL(join(dist, 'mock/service.js')).href);

const service = await createMockService().listen();
const folder = mkdtempSync(join(tmpdir(), 'fleet-build-'));
try {
  loadChunk('start');
  const { run } = loadChunk('run');
  const env = {
    FLEET_CONFIG_DIR: folder,
    FLEET_BASE_URL: service.url,
    FLEET_USERNAME: 'demo',
    FLEET_PASSWORD: 'demo',
  };
  /** @param {string[]} words */
  async function fleet(...words) {
    let printed = '';
    const sink = () =>
      new Writable({
        write: (text, _encoding, done) => {
          printed += text;
          done();
        },
      });
    const io = { stdin: process.stdin, stdout: sink(), stderr: sink(), env, signal: new AbortController().signal };
    const code = await run(words, io);
    if (code !== 0) throw new Error(`fleet ${words.join(' ')} failed in the build:\n${printed}`);
    return printed;
  }
  const texts = join(dist, 'cli/help');
  mkdirSync(texts, { recursive: true });
  const help = await fleet('--help');
  writeFileSync(join(texts, 'fleet.txt'), help);
  for (const [, noun = ''] of help.matchAll(/^ {2}([a-z]+) {2,}/gm)) {
    writeFileSync(join(texts, `${noun}.txt`), await fleet(noun, '--help'));
  }
  await fleet('vehicles', 'list');
  await fleet('vehicles', 'list', '-o', 'json');
} finally {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
}
for (const [name, { script }] of chunks)
  writeFileSync(join(dist, 'cli/chunks', `${name}.${compiledEnding()}`), script.createCachedData());
