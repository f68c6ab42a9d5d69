// The client that all calls of a server share. User and profile are those of its start, whatever the configuration says later.

import type { FleetClient } from '../../../index.js';
import { readSettings, type Settings } from '../../config/settings.js';
import { openForUser } from '../../connection/connect.js';
import type { Context } from '../../context/context.js';
import { withLowPriority } from '../../mcp/low-priority.js';

/** Connects with the first call. What failed is tried again with the next one: a person may have logged in by then. */
export function shareClient(server: Context): void {
  let settings: Promise<Settings> | null = null;
  let client: Promise<FleetClient> | null = null;
  const keep = async () => {
    settings ??= readSettings(server);
    settings.catch(() => {
      settings = null;
    });
    return settings;
  };
  const begun = server.globals.demo ? null : keep().catch(() => undefined);
  server.service.share(async () => {
    await begun;
    client ??= openForUser(server, keep).then(withLowPriority);
    try {
      return await client;
    } catch (error) {
      client = null;
      throw error;
    }
  });
}
