// Runs the output of each setting. `module: Preserve` leaves the imports to a bundler.
import { execFileSync } from 'node:child_process';
import { settings } from './settings.mjs';

for (const { out } of settings)
  if (!out.endsWith('-Preserve')) execFileSync(process.execPath, [`${out}/main.js`], { stdio: 'inherit' });
