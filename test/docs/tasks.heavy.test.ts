// Every screen of docs/tasks.md equals the output on a terminal of 80 columns and, if different, of
// 160; `-u` updates them. The commands of one screen share a service, each screen has a new one,
// and a section's files are in its folder.
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
const screen = /^```console columns=80\n([\s\S]*?)^```\n(?:\n```console columns=160\n[\s\S]*?^```\n)?/gm;
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
    const screenOf = async (lines: readonly string[], columns: number) => {
      service.restore(clean);
      const shell = shellOf('demo', service.fetch);
      let text = '';
      for (const line of lines) {
        const [command] = commandsOf(line.slice(2));
        const words = command?.words.slice(1) ?? [];
        const env = { TZ: 'Europe/Tallinn', NO_COLOR: '1', FLEET_PAGER: '' };
        const { code, stdout, stderr } = await shell(words, { terminal: columns, env });
        if (code !== 0 || stdout === '') wrong.push(`${line}\n  exit code ${code}: ${stderr}`);
        text += `${line}\n${stdout}${withoutProgress(stderr)}`.replace(/[ \t]+$/gm, '');
      }
      return text;
    };
    for (const section of sections) {
      for (const [, name = '', text = ''] of section.matchAll(file)) writeFileSync(name, text);
      let written = section;
      const screens = [...section.matchAll(screen)];
      expect(screens.length, section).toBeGreaterThan(0);
      for (const [whole, body = ''] of screens) {
        const lines = body.split('\n').filter((line) => line.startsWith('$ '));
        expect(lines.length, whole).toBeLessThanOrEqual(2);
        const narrow = await screenOf(lines, 80);
        const wide = await screenOf(lines, 160);
        const both = [`\`\`\`console columns=80\n${narrow}\`\`\`\n`];
        if (wide !== narrow) both.push(`\`\`\`console columns=160\n${wide}\`\`\`\n`);
        written = written.replace(whole, () => both.join('\n'));
      }
      shown.push(written);
    }
    expect(wrong.join('\n')).toBe('');
    await expect(shown.join('')).toMatchFileSnapshot(page);
  } finally {
    process.chdir(home);
    rmSync(folder, { recursive: true, force: true });
  }
});
