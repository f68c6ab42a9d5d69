// The Nodes we promise to run on, from the npm registry: packages that hold nothing but the binary. Kept between runs.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const kept = fileURLToPath(new URL('../node_modules/.cache/nodes/', import.meta.url));

/**
 * The binary of the newest Node of a range such as `22`, or the reason why there is none.
 * @param {string} range
 * @returns {{ binary: string, version: string } | { missing: string }}
 */
export function nodeOf(range) {
  const folder = join(kept, range);
  if (!existsSync(folder)) {
    const name = `node-${process.platform}-${process.arch}@${range}`;
    const scratch = mkdtempSync(join(tmpdir(), 'fleet-node-'));
    try {
      const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
      execFileSync('npm', ['install', ...options, '--prefix', scratch, `node@npm:${name}`], {
        cwd: scratch,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const bin = join(scratch, 'node_modules/node/bin');
      mkdirSync(folder, { recursive: true });
      for (const file of readdirSync(bin)) copyFileSync(join(bin, file), join(folder, file));
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
      // Not published for this machine is no fault of ours; a registry that does not answer is a failed run.
      if (/code (ETARGET|E404)/.test(said)) return { missing: `${name} is not published` };
      throw error;
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }
  const binary = join(folder, 'node');
  return { binary, version: execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim() };
}
