import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { childEnv } from "./child-env.js";
function pagerCommand(env) {
  if (env.TERM === "dumb" || env.TERM === void 0) return null;
  const named = env.FLEET_PAGER ?? env.PAGER;
  if (named !== void 0) return named.trim() === "" || named.trim() === "cat" ? null : named;
  return isInstalled("less", env.PATH ?? "") ? "less -FRX" : null;
}
function startPager(command, env) {
  const child = spawn(command, {
    shell: true,
    stdio: ["pipe", "inherit", "inherit"],
    env: { ...childEnv(env), LESS: env.LESS ?? "FRX", LV: env.LV ?? "-c" }
  });
  const closed = new Promise((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  return { input: child.stdin, closed };
}
function isInstalled(program, path) {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return folder !== "";
    } catch {
      return false;
    }
  });
}
export {
  pagerCommand,
  startPager
};
