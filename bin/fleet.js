#!/usr/bin/env node
const main = await import('../dist/cli/main.js').then(
  (bundle) => bundle.main,
  (error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    process.stderr.write(
      'fleet: the command line has not been built yet. In a clone of the project, run `npm ci` first.\n',
    );
    process.exitCode = 1;
  },
);
main?.(process);
