import { homedir } from "node:os";
import path from "node:path";
const NAME = "fleet-telematics";
function configFolder(env = process.env, platform = process.platform, home = homedir()) {
  const { join, isAbsolute, resolve } = platform === "win32" ? path.win32 : path.posix;
  if (env.FLEET_CONFIG_DIR) return resolve(env.FLEET_CONFIG_DIR);
  if (platform === "win32") return join(env.APPDATA || join(home, "AppData", "Roaming"), NAME);
  if (platform === "darwin") return join(home, "Library", "Preferences", NAME);
  const xdg = env.XDG_CONFIG_HOME;
  return join(xdg && isAbsolute(xdg) ? xdg : join(home, ".config"), NAME);
}
export {
  configFolder
};
