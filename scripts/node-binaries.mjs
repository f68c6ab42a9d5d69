// Downloads and caches Node binaries from npm packages that contain only the binary.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCommand } from './npm.mjs';

const cacheFolder = fileURLToPath(new URL('../node_modules/.cache/nodes/', import.meta.url));

/**
 * Returns the newest Node in a range such as `22`, or the reason why it is missing.
 * @param {string} range
 * @returns {{ binary: string, version: string } | { missing: string }}
 */
export function nodeOf(range) {
  const folder = join(cacheFolder, range);
  if (!existsSync(folder)) {
    const name = `node-${process.platform}-${process.arch}@${range}`;
    const scratch = mkdtempSync(join(tmpdir(), 'fleet-node-'));
    try {
      const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
      execFileSync(...npmCommand('install', ...options, '--prefix', scratch, `node@npm:${name}`), {
        cwd: scratch,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      keep(join(scratch, 'node_modules/node/bin'), folder);
    } catch (error) {
      const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
      // Some versions are not published for every platform. Any other error fails the run.
      if (/code (ETARGET|E404)/.test(stderr)) return { missing: `${name} is not published` };
      throw error;
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }
  const binary = join(folder, process.platform === 'win32' ? 'node.exe' : 'node');
  return { binary, version: execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim() };
}

/**
 * Copies in one step, because another process may use the folder at that time.
 * @param {string} bin
 * @param {string} folder
 */
function keep(bin, folder) {
  mkdirSync(cacheFolder, { recursive: true });
  const copy = mkdtempSync(`${folder}-`);
  try {
    cpSync(bin, copy, { recursive: true });
    renameSync(copy, folder);
  } catch (error) {
    // The other process was first.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
