import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The end-to-end tests drive the built package and the built command line; a failed build fails the run.
    globalSetup: ['test/build-first.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
