// A gate that cannot take turns: requests are still sent, and the warning gives the reason.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fileGate } from '../../src/index.js';
import { turnFiles } from '../../src/locks/file-gate.js';

// An update of the package replaces its files while the program runs.
vi.mock('../../src/locks/turn-queue.js', () => {
  throw new Error('replaced');
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'fleet-gate-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

test('when the code for waiting cannot be loaded, no ticket is left, and the warning blames no folder', async () => {
  const directory = folder();
  const warnings: string[] = [];
  const holder = fileGate({ directory });
  const other = fileGate({ directory, onWarning: ({ message }) => warnings.push(message) });
  const both = holder.hold('key', () => other.hold('key', async () => 'sent'));
  expect(await both).toBe('sent');
  expect(warnings).toEqual([
    expect.stringMatching(/^This process cannot take turns with others, because of an unexpected error \(/),
  ]);
  expect(readdirSync(turnFiles(directory, 'key').queue)).toEqual([]);
});

test('when its files cannot be written, the warning says so with the code of the system', async () => {
  const directory = join(folder(), 'file');
  writeFileSync(directory, '');
  const warnings: string[] = [];
  const gate = fileGate({ directory, onWarning: ({ message }) => warnings.push(message) });
  expect(await gate.hold('key', async () => 'sent')).toBe('sent');
  expect(warnings).toEqual([expect.stringContaining('its files in the config folder cannot be written (ENOTDIR)')]);
});
