// Tests that need a program which is not part of Node.

/**
 * Returns true, for `skipIf`, and prints which tests are skipped and how to run them.
 * @throws {Error} in a CI run on Linux, where `.ci/run` installs every program
 */
export function skipMissing(tests: string, remedy: string): true {
  if (process.env.CI && process.platform === 'linux') throw new Error(`Would skip ${tests}. ${remedy}`);
  process.stderr.write(`\n!!! SKIPPED: ${tests}\n!!! ${remedy}\n\n`);
  return true;
}
