import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { errorCode } from "../../core/error-code.js";
import { sdkVersion } from "../../core/version.js";
import { CliError } from "../errors/cli-error.js";
import { commandPackages } from "./command-packages.js";
const here = fileURLToPath(String(import.meta.url));
const fromHere = createRequire(here);
const paths = () => [here, process.argv[1] ?? here].map((file) => dirname(realPathOf(file)));
const UNKNOWN = "of unknown version";
const installedPackages = {
  versionOf(name) {
    try {
      const { version } = Object(JSON.parse(readFileSync(resolved(`${name}/package.json`), "utf8")));
      return typeof version === "string" ? version : UNKNOWN;
    } catch (error) {
      return errorCode(error) === "MODULE_NOT_FOUND" ? null : UNKNOWN;
    }
  },
  load: async (name, entry) => import(resolved(`${name}/${entry}`))
};
async function loadPackage(io, name, entry, purpose) {
  const { versionOf, load } = io.packages ?? installedPackages;
  const version = versionOf(name);
  const hint = () => `Run: ${installCommand(name, here, purpose)}`;
  if (version === sdkVersion) {
    return load(name, entry).catch((cause) => {
      throw new CliError("CONFIGURATION", `The package ${name} is damaged: it cannot be loaded.`, {
        hint: hint(),
        cause
      });
    });
  }
  const problem = version === null ? `\`${purpose}\` is in the package ${name}, which is not installed.` : `The package ${name} ${version} does not fit fleet-telematics ${sdkVersion}: both need the same version.`;
  throw new CliError("CONFIGURATION", problem, { hint: hint() });
}
function packageVersions({ packages = installedPackages }) {
  return new Map(Object.values(commandPackages).map((name) => [name, packages.versionOf(name)]));
}
function installCommand(name, program = here, purpose = "fleet") {
  const wanted = `${name}@${sdkVersion}`;
  const folders = program.split(sep);
  const modules = folders.indexOf("node_modules");
  const project = folders.slice(0, Math.max(modules, 0)).join(sep);
  if (folders.includes("_npx")) {
    const [, noun = ""] = purpose.split(" ");
    const ofNoun = Object.entries(commandPackages).flatMap(([one, its]) => one === noun && its !== name ? [its] : []);
    const names = ["fleet-telematics", ...ofNoun, name];
    return `npx ${names.map((one) => `--package ${one}@${sdkVersion}`).join(" ")} ${purpose}`;
  }
  if (process.versions.pnp !== void 0) return `yarn add ${wanted}`;
  if (modules < 0) return "npm ci";
  if (folders.includes(".bun")) return `bun add --global ${wanted}`;
  const isGlobalOf = (manager) => folders.some((one, at) => one === manager && folders[at + 1] === "global");
  if (isGlobalOf("pnpm")) return `pnpm add --global ${wanted}`;
  if (isGlobalOf("yarn")) return `yarn global add ${wanted}`;
  const has = (file) => existsSync(join(project, file));
  if (folders.includes(".pnpm") || has("pnpm-lock.yaml")) return `pnpm add ${wanted}`;
  if (has("bun.lock") || has("bun.lockb")) return `bun add ${wanted}`;
  if (has("yarn.lock")) return `yarn add ${wanted}`;
  return has("package.json") ? `npm install ${wanted}` : `npm install --global ${wanted}`;
}
function resolved(specifier) {
  return fromHere.resolve(specifier, { paths: paths() });
}
function realPathOf(file) {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
export {
  installCommand,
  loadPackage,
  packageVersions
};
