// Every screen of docs/tasks.md is what the command line prints on a terminal of that width; `-u` writes them anew. The commands of one
// block share a service, each block has a new one, and the files of a section stand beside them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMockService } from '../../src/mock/service.js';
import { commandsOf } from '../cli/command-words.js';
import { clock, shellOf } from '../cli/harness.js';
import { root } from './markdown.js';

const page = join(root, 'docs/tasks.md');
const fewest = 20;
const screen = /^```console columns=(\d+)\n([\s\S]*?)^```$/gm;
const file = /^```\w+ file=(\S+)\n([\s\S]*?)^```$/gm;
/** A progress line is redrawn in place, and erased at the end. */
const erase = '\r\u001b[2K';
const withoutProgress = (stderr: string) =>
  stderr
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf(erase) < 0 ? 0 : line.lastIndexOf(erase) + erase.length))
    .join('\n');

test('docs/tasks.md shows what the commands print', { timeout: 300_000 }, async () => {
  const service = createMockService({ clock });
  const clean = service.snapshot();
  const folder = mkdtempSync(join(tmpdir(), 'fleet-tasks-'));
  const home = process.cwd();
  process.chdir(folder);
  try {
    const [head = '', ...sections] = readFileSync(page, 'utf8').split(/^(?=## \d+\. )/m);
    expect(sections.length).toBeGreaterThanOrEqual(fewest);
    const shown: string[] = [head];
    const wrong: string[] = [];
    for (const section of sections) {
      for (const [, name = '', text = ''] of section.matchAll(file)) writeFileSync(name, text);
      let written = section;
      const columns = new Set<string>();
      for (const [whole, width = '', body = ''] of section.matchAll(screen)) {
        columns.add(width);
        service.restore(clean);
        const shell = shellOf('demo', service.fetch);
        let text = '';
        const lines = body.split('\n').filter((line) => line.startsWith('$ '));
        expect(lines.length, whole).toBeLessThanOrEqual(2);
        for (const line of lines) {
          const [command] = commandsOf(line.slice(2));
          const words = command?.words.slice(1) ?? [];
          const env = { TZ: 'Europe/Tallinn', NO_COLOR: '1', FLEET_PAGER: '' };
          const { code, stdout, stderr } = await shell(words, { terminal: Number(width), env });
          if (code !== 0 || stdout === '') wrong.push(`${line}\n  exit code ${code}: ${stderr}`);
          text += `${line}\n${stdout}${withoutProgress(stderr)}`.replace(/[ \t]+$/gm, '');
        }
        written = written.replace(whole, () => `\`\`\`console columns=${width}\n${text}\`\`\``);
      }
      expect([...columns], section).toEqual(['80', '160']);
      shown.push(written);
    }
    expect(wrong.join('\n')).toBe('');
    await expect(shown.join('')).toMatchFileSnapshot(page);
  } finally {
    process.chdir(home);
    rmSync(folder, { recursive: true, force: true });
  }
});
