// Completion in real shells: types keys, including Tab, on a separate terminal (expect), and checks
// the executed command. No service runs: completion must not need one.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../bin/fleet.js', import.meta.url));
let folder: string;
let bin: string;

/** Runs the real command for completion and its script; otherwise prints its arguments. */
const fleet = `#!/bin/sh
if [ "$1" = __complete ] || [ ! -t 1 ]; then exec "${process.execPath}" "${script}" "$@"; fi
printf 'ran'
for word in "$@"; do printf '[%s]' "$word"; done
printf '\\nprompt>'
`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleet-shells-'));
  bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'fleet'), fleet);
  chmodSync(join(bin, 'fleet'), 0o755);
  writeFileSync(join(folder, 'my-input.ndjson'), '');
  const profile = { baseUrl: 'https://fleet.test', username: 'me', user: null };
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ profile: 'default', profiles: { north: profile } }));
  chmodSync(join(folder, 'config.json'), 0o600);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shells = {
  bash: { start: 'bash --norc --noprofile -i', install: 'eval "$(fleet completion bash)"' },
  zsh: { start: 'zsh -f -i', install: 'autoload -Uz compinit && compinit -u && eval "$(fleet completion zsh)"' },
  fish: { start: 'fish --no-config', install: 'fleet completion fish | source' },
} as const;

const isThere = (program: string) => spawnSync(program, ['--version']).error === undefined;

/** Types the keys; returns the executed command and the terminal's output. */
function typed(shell: keyof typeof shells, keys: string): { readonly ran: string | undefined; readonly seen: string } {
  const { start, install } = shells[shell];
  const tcl = (text: string) => text.replace(/[\\"[\]$]/g, '\\$&').replaceAll('\t', '\\t');
  const dialogue = [
    'set timeout 40',
    'set stty_init "rows 40 cols 150"',
    `spawn ${start}`,
    // The printed word is put together, so that the echo of the keys does not match.
    `send "${tcl(install)}; printf '%s%s\\\\n' rea dy\\r"`,
    'expect ready',
    `send "${tcl(keys)}\\r"`,
    'expect {',
    '  -re {ran(\\[[^\\r\\n]*\\])\\s*prompt>} { puts "\\nRESULT $expect_out(1,string)" }',
    '  timeout { puts "\\nRESULT timeout" }',
    '}',
    'send "exit\\r"',
    'expect eof',
  ].join('\n');
  const { PATH = '' } = process.env;
  const env = { PATH: `${bin}:${PATH}`, HOME: folder, TERM: 'xterm', LANG: 'C.UTF-8', FLEET_CONFIG_DIR: folder };
  const { stdout } = spawnSync('expect', ['-c', dialogue], { cwd: folder, env, encoding: 'utf8' });
  return { ran: /^RESULT (.*)$/m.exec(stdout)?.[1]?.trim(), seen: stdout };
}

describe.each(Object.keys(shells) as (keyof typeof shells)[])('%s', (shell) => {
  test.for([
    ['nouns, verbs and flags', 'fleet vehi\tlis\t--act\t', '[vehicles][list][--active]'],
    ['the values of a flag', 'fleet vehicles list -o js\t', '[vehicles][list][-o][json]'],
    ['the values of a flag behind =', 'fleet vehicles list --output=nd\t', '[vehicles][list][--output=ndjson]'],
    [
      'one field of a list',
      'fleet vehicles list --fields id,licenseP\t',
      '[vehicles][list][--fields][id,licensePlate]',
    ],
    [
      'a field step by step',
      'fleet vehicles list --sort -lastDa\tgp\tspee\t',
      '[vehicles][list][--sort][-lastData.gps.speed]',
    ],
    [
      'a filter, up to its value',
      'fleet vehicles list --filter licenseP\tX1',
      '[vehicles][list][--filter][licensePlate=X1]',
    ],
    ['profiles', 'fleet profiles use no\t', '[profiles][use][north]'],
    ['flags in front of the noun', 'fleet --profile no\tvehi\t', '[--profile][north][vehicles]'],
    ['a name with spaces', 'fleet --demo vehicles get Truck\\ 1\t', '[--demo][vehicles][get][Truck 10]'],
    [
      'a name with spaces from its first word',
      'fleet --demo groups delete Win\t',
      '[--demo][groups][delete][Winter roster]',
    ],
    ['a name in quotes', 'fleet --demo vehicles get "Truck 1\t', '[--demo][vehicles][get][Truck 10]'],
    ['a name in single quotes', "fleet --demo vehicles get 'Truck 1\t", '[--demo][vehicles][get][Truck 10]'],
    [
      'the name of a flag',
      'fleet --demo drivers assignments --vehicle Truck\\ 1\t',
      '[--demo][drivers][assignments][--vehicle][Truck 10]',
    ],
    ['files', 'fleet groups create --input my-\t', '[groups][create][--input][my-input.ndjson]'],
    ['files behind =', 'fleet groups create --input=my-\t', '[groups][create][--input=my-input.ndjson]'],
  ] as const)('completes %s', ([, keys, ran], context) => {
    for (const program of ['expect', shell]) {
      if (!isThere(program)) context.skip(`${program} is not installed; on Debian: apt-get install ${program}`);
    }
    const outcome = typed(shell, keys);
    expect(outcome.ran, outcome.seen).toBe(ran);
  });
});
