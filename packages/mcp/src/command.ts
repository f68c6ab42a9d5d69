// `fleet mcp`: a Model Context Protocol server over stdio for AI assistants.
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { realTimers, sdkVersion } from 'fleet-telematics/kit';
import {
  type Context,
  type DefineCommand,
  examples,
  loadPackage,
  note,
  serviceNow,
} from 'fleet-telematics/kit/command';
import type { FleetCopy } from 'fleet-telematics-sync/copy';
import { callTool } from './call-tool.js';
import { Jobs } from './jobs.js';
import type { ServedContent } from './server.js';
import { sharedClient } from './server-client.js';
import { changeTools } from './tools/changes.js';
import { describe, query as graphqlQuery } from './tools/contract.js';
import { sqlTool } from './tools/sql.js';
import { instructionsOf, prompts, resourcesOf } from './tools/texts.js';
import { fleetToday, readTools } from './tools/tools.js';

interface McpFlags {
  readonly allowChanges?: true;
  readonly copy?: string;
}

export const define: DefineCommand = (noun, open) => {
  noun
    .summary('answer questions of AI assistants about the fleet')
    .description(
      'Serve the Model Context Protocol over stdin and stdout, so that AI assistants answer questions about the fleet. The assistant starts this command. docs/mcp.md in the repository has the settings of each assistant.',
    )
    .option('--allow-changes', 'also offer two tools that change the fleet: a plan, and its execution')
    .option('--copy <file>', 'answer past trips and sums from this SQLite copy of `fleet sync`, and offer SQL')
    .addHelpText(
      'after',
      `${examples(
        ['fleet mcp', 'as the login and user of `fleet status`'],
        ['fleet mcp --demo', 'try it without an account'],
        ['fleet mcp --profile north --time-zone Europe/Tallinn', 'another login; times in this zone'],
        ['fleet mcp --copy fleet.db', 'long periods at once, and SQL, from the copy of `fleet sync fleet.db`'],
        ['fleet mcp --allow-changes', 'the assistant may plan changes, and carry out a plan'],
      )}

- The server acts for one user, who is fixed when it starts. Without --allow-changes it changes
  nothing.
- stdout belongs to the protocol. Problems are printed on stderr.
- The server ends when the assistant closes stdin.`,
    )
    .action((flags: McpFlags) => serveFleet(open({ isEndless: true }), flags));
};

async function serveFleet(context: Context, { allowChanges, copy }: McpFlags): Promise<void> {
  const { stdin, stdout, signal, sleep = (ms, ending) => pause(ms, undefined, { signal: ending }) } = context.io;
  if (stdin.isTTY)
    note(
      context,
      'This server waits for an assistant, which starts it by itself: see docs/mcp.md in the repository. Ctrl-C ends it.',
    );
  const ownCopy = copy === undefined ? null : await openCopy(context, resolve(copy));
  const tools = [
    ...[...readTools, describe, graphqlQuery],
    ...(ownCopy === null ? [] : [sqlTool(ownCopy)]),
    ...(allowChanges ? changeTools(context) : []),
  ];
  const extra = [
    ...(ownCopy === null ? [] : ['sql reads a copy of the fleet, which may be old: asOf says as of when.']),
    ...(allowChanges
      ? ['A change needs plan_change, the consent of the person to that plan, and then carry_out_plan.']
      : []),
  ];
  const jobs = new Jobs(() => serviceNow(context), sleep);
  const parts = {
    ...{ server: context, jobs, openClient: sharedClient(context) },
    tripsOfCopy: ownCopy?.trips ?? null,
  };
  const call: ServedContent['call'] = (tool, input, how) => callTool(parts, tool, input, how);
  const today = async (ending: AbortSignal) => {
    const { text, structured } = await call(fleetToday, {}, { signal: ending, onProgress: () => undefined });
    if (structured === undefined) throw new Error(text);
    return text;
  };
  const { serve } = await import('./server.js');
  try {
    await serve(
      {
        version: sdkVersion,
        instructions: instructionsOf(context, extra),
        tools,
        call,
        resources: resourcesOf(today),
        prompts,
      },
      { stdin, stdout, signal, elapsed: realTimers.now, onError: (message) => note(context, `! ${message}`) },
    );
  } finally {
    jobs.end();
  }
}

async function openCopy(context: Context, path: string): Promise<FleetCopy> {
  const loaded = await loadPackage(context.io, 'fleet-telematics-sync', 'copy', 'fleet mcp --copy');
  // The exports of this version.
  const copies = loaded as typeof import('fleet-telematics-sync/copy');
  return copies.openCopy(context, path);
}
