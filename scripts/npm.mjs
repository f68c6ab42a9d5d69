// Starts npm on every system: on Windows `npm` needs a shell, which would split paths at spaces.
import { execSync } from 'node:child_process';

/** @type {string | undefined} */
let found;

/**
 * Returns the command and arguments to start npm: `execFileSync(...npmCommand('pack'), options)`.
 * @param {readonly string[]} words
 * @returns {[command: string, args: string[]]}
 */
export function npmCommand(...words) {
  found ??= npmScript();
  return [process.execPath, [found, ...words]];
}

/**
 * Returns npm's script, which runs with any Node. npm_execpath may be another package manager's.
 */
export function npmScript() {
  const own = process.env.npm_execpath;
  if (own?.endsWith('npm-cli.js')) return own;
  return execSync('npm exec --call "node -p process.env.npm_execpath"', { encoding: 'utf8' }).trim();
}
