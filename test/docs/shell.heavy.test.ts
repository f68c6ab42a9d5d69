// Every shell block prints the documented output with the built command line. The blocks of a page
// share one shell.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Block, generated, pages, shows } from './markdown.js';
import { openWorkshop, type Workshop, withServiceUrl } from './workshop.js';

const isRun = ({ language, words }: Block) => language === 'sh' && !words.includes('no-run');
/** Commands without an end or with a database: test/cli/examples.nightly.test.ts tests them. */
const endless = ['docs/map.md', 'docs/sync.md'];
const shellPages = pages().filter(
  ({ file, blocks }) => ![...generated, ...endless].includes(file) && blocks.some(isRun),
);
const exec = promisify(execFile);
const port = '4010';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop();
});
afterAll(() => workshop.close());

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? String(address.port) : '0';
}

/** Starts a server of a page, such as `fleet mock`, and waits until it listens. */
async function serve(code: string, cwd: string, env: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const child = spawn('bash', ['-c', `exec ${code.trim()}`], { cwd, env });
  let said = '';
  for await (const chunk of child.stderr) {
    said += chunk;
    if (/http:\/\/127\.0\.0\.1:\d+/.test(said)) {
      child.stderr.resume();
      return child;
    }
  }
  throw new Error(`The server ended, having said: ${said}`);
}

test.concurrent.for(shellPages.map((page) => [page.file, page] as const))(
  '%s',
  { timeout: 120_000 },
  async ([file, page]) => {
    const cwd = join(workshop.folder, file.replace(/\W+/g, '-'));
    mkdirSync(cwd);
    // A page with a login uses only its own username, and its stored session.
    const { FLEET_USERNAME: _, ...withoutUsername } = workshop.env;
    const login = page.text.includes('fleet login') ? withoutUsername : workshop.env;
    const env = { ...login, FLEET_CONFIG_DIR: join(cwd, 'config') };
    const free = await freePort();
    const code = (block: Block) => withServiceUrl(block.code, workshop).replaceAll(port, free);
    const blocks = page.blocks.filter(isRun);
    const servers: ChildProcess[] = [];
    for (const block of blocks.filter(({ words }) => words.includes('server'))) {
      servers.push(await serve(code(block), cwd, env));
    }
    try {
      const steps = blocks.filter(({ words }) => !words.includes('server'));
      const script = steps.map((block, place) => {
        const end = block.words.includes('exit-10') ? ' || [ $? = 10 ]' : '';
        return `{\n${code(block)}\n} > out.${place}${end}\ntouch done.${place}\n`;
      });
      writeFileSync(join(cwd, 'page.sh'), `set -e -o pipefail\n${script.join('')}`);
      const stopped = await exec('bash', ['page.sh'], { cwd, env }).then(
        () => '',
        (error: { stderr: string }) => error.stderr,
      );
      for (const [place, block] of steps.entries()) {
        const where = `${file}:${block.line}`;
        const printed = readFileSync(join(cwd, `out.${place}`), 'utf8');
        if (!existsSync(join(cwd, `done.${place}`))) throw new Error(`${where} failed: ${stopped}${printed}`);
        if (block.output !== null && !shows(block.output, printed)) expect(printed, where).toBe(block.output);
      }
    } finally {
      for (const server of servers) {
        server.kill('SIGINT');
        await once(server, 'exit');
      }
    }
  },
);
