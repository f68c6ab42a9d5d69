import type { SpawnOptions } from 'node:child_process';
import { childEnv } from 'fleet-telematics/kit/command';

type Spawn = (
  command: string,
  args: readonly string[],
  options: SpawnOptions,
) => { once(event: 'error' | 'spawn', listener: () => void): unknown; unref(): void };

/** Returns false when no program to open a browser was found. */
export async function openBrowser(
  url: string,
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  start?: Spawn,
): Promise<boolean> {
  const spawn = start ?? (await import('node:child_process')).spawn;
  const [command, args] = opener(platform);
  return new Promise((resolve) => {
    // No shell: the address is only ever an argument.
    const child = spawn(command, [...args, url], {
      stdio: 'ignore',
      detached: platform !== 'win32',
      env: childEnv(env),
    });
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
    child.unref();
  });
}

function opener(platform: NodeJS.Platform): readonly [command: string, args: readonly string[]] {
  if (platform === 'darwin') return ['open', []];
  if (platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler']];
  return ['xdg-open', []];
}
