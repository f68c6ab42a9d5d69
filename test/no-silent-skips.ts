// Fails a CI run on Linux with a skipped test, unless its file is listed here with the reason.
import type { Reporter, TestModule } from 'vitest/node';

/** Files with tests that some machines skip, by the end of their path. */
const reasons: Readonly<Record<string, string>> = {
  'test/cli/session.test.ts': 'root can write to a read-only folder',
  'test/e2e/compiled-code.heavy.test.ts': 'the same; and others than root cannot make files of another user',
  'test/cli/profiles.test.ts': 'others than root cannot make files of another user',
  'packages/sync/test/command/sync.test.ts': 'Node has SQLite from version 22 on',
  'packages/sync/test/sqlite-file.test.ts': 'the same; and others than root cannot give a file away',
};

const isStrict = Boolean(process.env.CI) && process.platform === 'linux';

export default class NoSilentSkips implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (!isStrict) return;
    for (const { moduleId, children } of modules) {
      if (Object.keys(reasons).some((path) => moduleId.replaceAll('\\', '/').endsWith(path))) continue;
      for (const { fullName } of children.allTests('skipped')) {
        process.stderr.write(`Skipped, which fails a CI run: ${moduleId} > ${fullName}\n`);
        process.exitCode = 1;
      }
    }
  }
}
