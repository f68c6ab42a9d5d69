// `fleet doctor`: checks the installed command packages.
import { sdkVersion } from '../../core/version.js';
import type { Io } from '../io/io.js';
import { installCommand, packageVersions } from '../packages/load-package.js';
import { type CheckFinding, ok, warning } from './check.js';

export function checkPackages(io: Io): CheckFinding {
  const versions = [...packageVersions(io)];
  const text = versions.map(([name, version]) => `${name} ${version ?? 'is not installed'}`).join(', ');
  const unfit = versions.filter(([, version]) => version !== null && version !== sdkVersion);
  const [first] = unfit;
  const all = `fleet-telematics ${sdkVersion}, ${text}`;
  if (first === undefined) return ok(all);
  const commands = new Set(unfit.map(([name]) => installCommand(name)));
  return warning(`${all}: packages of other versions are not used`, `Run: ${[...commands].join(' && ')}`);
}
