// Runs main.ts with Deno, which npm installs as a binary of the platform, with minimal permissions.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

const packages = existsSync('node_modules/@deno') ? readdirSync('node_modules/@deno') : [];
const [binary] = packages
  .flatMap((name) => ['deno', 'deno.exe'].map((file) => `node_modules/@deno/${name}/${file}`))
  .filter((path) => existsSync(path));
if (binary === undefined) process.stdout.write(`SKIPPED: npm has no Deno for ${process.platform} ${process.arch}\n`);
else
  execFileSync(binary, ['run', '--allow-net', '--allow-env', '--allow-read', '--allow-sys', 'main.ts'], {
    stdio: 'inherit',
  });
