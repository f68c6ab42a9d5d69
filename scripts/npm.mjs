// Starts npm on every system: on Windows `npm` is a script that only a shell finds, and a shell would take paths apart at spaces.
import { execSync } from 'node:child_process';

/** @type {string | undefined} */
let found;

/**
 * The command and the arguments that start npm with these words: `execFileSync(...npmCommand('pack'), options)`.
 * @param {readonly string[]} words
 * @returns {[command: string, args: string[]]}
 */
export function npmCommand(...words) {
  found ??= npmScript();
  return [process.execPath, [found, ...words]];
}

/** npm's own script, which runs with any Node. npm tells it to the scripts that it runs; other package managers tell theirs. */
export function npmScript() {
  const own = process.env.npm_execpath;
  if (own?.endsWith('npm-cli.js')) return own;
  return execSync('npm exec --call "node -p process.env.npm_execpath"', { encoding: 'utf8' }).trim();
}
