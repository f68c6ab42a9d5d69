import { sdkVersion } from "../../core/version.js";
import { installCommand, packageVersions } from "../packages/load-package.js";
import { ok, warning } from "./check.js";
function checkPackages(io) {
  const versions = [...packageVersions(io)];
  const text = versions.map(([name, version]) => `${name} ${version ?? "is not installed"}`).join(", ");
  const unfit = versions.filter(([, version]) => version !== null && version !== sdkVersion);
  const [first] = unfit;
  const all = `fleet-telematics ${sdkVersion}, ${text}`;
  if (first === void 0) return ok(all);
  const commands = new Set(unfit.map(([name]) => installCommand(name)));
  return warning(`${all}: packages of other versions are not used`, `Run: ${[...commands].join(" && ")}`);
}
export {
  checkPackages
};
