// Runs main.ts with Bun, which npm installs as a binary; its install script may move it.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';

const packages = existsSync('node_modules/@oven') ? readdirSync('node_modules/@oven') : [];
const places = packages.flatMap((name) => ['bun', 'bun.exe'].map((file) => `node_modules/@oven/${name}/bin/${file}`));
// If no script has run, this file is a text with a message.
const isBinary = (path) => existsSync(path) && statSync(path).size > 1_000_000;
const [binary] = ['node_modules/bun/bin/bun.exe', ...places].filter(isBinary);
if (binary === undefined) process.stdout.write(`SKIPPED: npm has no Bun for ${process.platform} ${process.arch}\n`);
else execFileSync(binary, ['run', 'main.ts'], { stdio: 'inherit' });
