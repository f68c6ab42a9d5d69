// Runs a tool call as a job, and formats its answer or failure.
import type { FleetClient } from 'fleet-telematics';
import type { Context } from 'fleet-telematics/kit/command';
import type { TripsOfCopy } from 'fleet-telematics-sync/copy';
import { answerPage, completeAnswer, type SentAnswer } from './answer.js';
import { failureAnswer } from './failure.js';
import type { JobRequest, Jobs, Work } from './jobs.js';
import { withTripStream } from './server-client.js';
import type { Tool, ToolInput } from './tool.js';
import { ToolCall } from './tool-call.js';

export interface ToolParts {
  readonly server: Context;
  readonly jobs: Jobs;
  readonly openClient: () => Promise<FleetClient>;
  readonly tripsOfCopy: ((context: Context, client: FleetClient) => TripsOfCopy) | null;
}

/** Never rejects: a failure is an answer, too. */
export async function callTool(
  parts: ToolParts,
  tool: Tool,
  args: ToolInput & { readonly offset?: number; readonly limit?: number },
  how: Pick<JobRequest, 'signal' | 'onProgress'>,
): Promise<SentAnswer> {
  const { offset, limit, ...input } = args;
  try {
    const answer = await parts.jobs.runOrJoin({
      ...how,
      // Clients send members in any order.
      key: JSON.stringify([tool.name, Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1))]),
      isChange: tool.confirm !== undefined,
      isNextPage: (offset ?? 0) > 0,
      start: (ending, onProgress) => startWork(parts, tool, input, ending, onProgress),
    });
    return answerPage(parts.server, answer, { offset, limit });
  } catch (error) {
    return failureAnswer(parts.server, tool, error);
  }
}

function startWork(
  { server, openClient, tripsOfCopy }: ToolParts,
  tool: Tool,
  input: ToolInput,
  ending: AbortSignal,
  onProgress: (text: string) => void,
): Work {
  let progress = '';
  let ofCopy: TripsOfCopy | null = null;
  const call: ToolCall = new ToolCall({
    server,
    signal: AbortSignal.any([ending, server.io.signal]),
    onProgress(text) {
      progress = ` (${text})`;
      onProgress(text);
    },
    async openClient() {
      const client = await openClient();
      if (!tool.usesCopy || tripsOfCopy === null) return client;
      ofCopy ??= tripsOfCopy(call.context, client);
      return withTripStream(client, ofCopy.stream);
    },
  });
  const work = async () => completeAnswer(call, { ...(await tool.run(call, input)), ...ofCopy?.source });
  return {
    answer: work(),
    partial() {
      const rows = call.rows.length === 0 ? '' : ' The rows are those that have arrived, without a total.';
      const again =
        tool.confirm === undefined
          ? `call ${tool.name} again with the same input to go on; nothing is read twice.${rows}`
          : `the change is under way. Call ${tool.name} again with the same input for its outcome.`;
      const summary = `Not finished yet${progress}: ${again}`;
      const shown = { rows: [...call.rows], asOf: call.now, notes: [] };
      return { summary, ...shown, isComplete: false, isFinished: false };
    },
  };
}
