// A gate between the processes of one machine: scripts and the command line take turns for a user. The turn is a lease file,
// which survives the killing of its holder.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { configFolder } from '../auth/config-folder.js';
import { takeLease } from '../auth/file-lease.js';
import type { WarningEvent } from '../hooks.js';
import { type Gate, localGate } from './gate.js';

export interface FileGateOptions {
  /** The config folder; turns are kept in its `turns` folder. Default: `configFolder()`. */
  readonly directory?: string | undefined;
  /** Told when another process took a turn over that this one still held. */
  readonly onWarning?: ((event: WarningEvent) => void) | undefined;
}

/** A gate in files, for all processes that use the same folder. */
export function fileGate({ directory = configFolder(), onWarning }: FileGateOptions = {}): Gate {
  const folder = join(directory, 'turns');
  // Calls of this process come first come first served, and only one of them asks for the lease.
  const inProcess = localGate();
  return {
    hold(key, task, { signal } = {}) {
      const file = join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.turn`);
      return inProcess.hold(
        key,
        async () => {
          const lease = await takeLease(file, {
            signal,
            onLost: () =>
              onWarning?.({
                code: 'GATE_LOST',
                message:
                  'Another process took this one for dead and its turn with it: two requests of the user may be active at once, and one may get a 429.',
              }),
          });
          try {
            return await task();
          } finally {
            lease.release();
          }
        },
        signal ? { signal } : {},
      );
    },
  };
}
