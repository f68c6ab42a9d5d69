// Serves the Model Context Protocol over two streams, by the official server package. The build makes a file of its own of this module, which
// only `fleet mcp` loads.
import type { Readable, Writable } from 'node:stream';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  fromJsonSchema,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
import { isObject } from '../../core/json.js';
import type { Served, ServedPrompt, ServedResource, ServedTool } from './served.js';

/** Between two messages about the progress of a call. */
const PROGRESS_EVERY_MS = 250;

export interface Streams {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  /** Milliseconds that only go up. */
  readonly elapsed: () => number;
  /** Ends the server. */
  readonly signal: AbortSignal;
  /** Told to whoever started the server. */
  readonly onError: (message: string) => void;
}

/** Until the client closes its end, or the signal is aborted. */
export async function serve(served: Served, { stdin, stdout, elapsed, signal, onError }: Streams): Promise<void> {
  const validator = new CfWorkerJsonSchemaValidator();
  // Streams of the process and of tests are streams of Node.
  const [input, output] = [stdin as Readable, stdout as Writable];
  const transport = new StdioServerTransport(input, output);
  const handle = serveStdio(() => serverOf(served, validator, elapsed), {
    transport,
    onerror: (error) => onError(error.message),
  });
  await new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) stdin.once(event, () => resolve());
    stdout.once('error', () => resolve());
    stdout.once('close', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted || input.readableEnded || input.destroyed) resolve();
  });
  await handle.close();
}

function serverOf(served: Served, validator: CfWorkerJsonSchemaValidator, elapsed: () => number): McpServer {
  const { version, instructions, tools, resources, prompts } = served;
  const server = new McpServer(
    { name: 'fleet-telematics', title: 'Fleet telematics', version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions, jsonSchemaValidator: validator },
  );
  for (const tool of tools) addTool(server, tool, validator, elapsed);
  for (const resource of resources) addResource(server, resource);
  for (const prompt of prompts) addPrompt(server, prompt, validator);
  return server;
}

type Input = Readonly<Record<string, unknown>>;

function addTool(
  server: McpServer,
  { name, title, description, annotations, input, output, call, question, refused }: ServedTool,
  validator: CfWorkerJsonSchemaValidator,
  elapsed: () => number,
): void {
  const schemas = {
    inputSchema: fromJsonSchema<Input>(input, validator),
    outputSchema: fromJsonSchema<Input>(output, validator),
  };
  server.registerTool(
    name,
    { title, description, annotations: { title, ...annotations }, ...schemas },
    async (args, context) => {
      const asked = question?.(args) ?? null;
      const answer = asked === null || !canAsk(server, context) ? null : confirmation(context, asked);
      if (answer === 'no') {
        refused(args);
        return resultOf(
          'A person has said no. Nothing was changed. Do not ask again unless the person wants it.',
          undefined,
        );
      }
      if (answer !== null && answer !== 'yes') return answer;
      const outcome = await call(args, {
        signal: context.mcpReq.signal,
        onProgress: progressTo(context, elapsed),
      });
      return resultOf(outcome.text, outcome.structured);
    },
  );
}

function resultOf(text: string, structured: Input | undefined): CallToolResult {
  const content = [{ type: 'text' as const, text }];
  return structured === undefined ? { content, isError: true } : { content, structuredContent: { ...structured } };
}

/** Clients of before 2026 say once what they can; the later ones with each request. */
function canAsk({ server }: McpServer, { mcpReq: { envelope } }: ServerContext): boolean {
  const own = isObject(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : undefined;
  const capabilities = isObject(own) ? own : server.getClientCapabilities();
  return capabilities?.elicitation !== undefined;
}

/** What a person has said, or the question for the client that can ask. */
function confirmation({ mcpReq }: ServerContext, question: string): 'yes' | 'no' | InputRequiredResult {
  const response = inputResponse(mcpReq.inputResponses, 'confirm');
  if (response.kind !== 'missing') {
    const isYes = response.kind === 'elicit' && response.action === 'accept' && response.content?.confirm === true;
    return isYes ? 'yes' : 'no';
  }
  const confirm = { type: 'boolean' as const, title: 'Carry it out', description: 'This changes the fleet.' };
  return inputRequired({
    inputRequests: {
      confirm: inputRequired.elicit({
        message: question,
        requestedSchema: { type: 'object', properties: { confirm }, required: ['confirm'] },
      }),
    },
  });
}

/** A client that is busy gets fewer messages, never a queue of them. */
function progressTo({ mcpReq }: ServerContext, elapsed: () => number): (text: string) => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  let last = Number.NEGATIVE_INFINITY;
  let isSending = false;
  return (message) => {
    if (isSending || elapsed() - last < PROGRESS_EVERY_MS) return;
    last = elapsed();
    isSending = true;
    progress++;
    const sent = mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } });
    void sent
      .catch(() => undefined)
      .finally(() => {
        isSending = false;
      });
  };
}

function addResource(server: McpServer, { uri, name, title, description, mimeType, read }: ServedResource): void {
  server.registerResource(name, uri, { title, description, mimeType }, async (url, { mcpReq }) => ({
    contents: [{ uri: url.href, mimeType, text: await read(mcpReq.signal) }],
  }));
}

function addPrompt(
  server: McpServer,
  { name, title, description, args, text }: ServedPrompt,
  validator: CfWorkerJsonSchemaValidator,
): void {
  const names = Object.keys(args);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(args).map(([arg, { description: about }]) => [arg, { type: 'string', description: about }]),
    ),
    required: names.filter((arg) => args[arg]?.required),
  };
  const message = (content: string) => ({
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text: content } }],
  });
  if (names.length === 0) server.registerPrompt(name, { title, description }, () => message(text({})));
  else {
    const argsSchema = fromJsonSchema<Record<string, string>>(schema, validator);
    server.registerPrompt(name, { title, description, argsSchema }, (given) => message(text(given)));
  }
}
