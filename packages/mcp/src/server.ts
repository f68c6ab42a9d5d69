// Serves the Model Context Protocol over two streams with the official server package. The build
// bundles this module separately, for `fleet mcp` alone.
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
import { isObject } from 'fleet-telematics/kit';
import { failureText, type SentAnswer } from './answer.js';
import type { JobRequest } from './jobs.js';
import { convertInput, problemOfMembers } from './normalize-input.js';
import { inputSchemaOf, type JsonSchema, outputSchema, type Tool, type ToolInput } from './tool.js';

const PROGRESS_EVERY_MS = 250;

export interface ServedResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly read: (signal: AbortSignal) => Promise<string>;
}

export interface ServedPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly args: Readonly<Record<string, { readonly description: string; readonly required: boolean }>>;
  readonly text: (args: Readonly<Record<string, string>>) => string;
}

export interface ServedContent {
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly Tool[];
  /** Never rejects. */
  readonly call: (tool: Tool, input: ToolInput, how: Pick<JobRequest, 'signal' | 'onProgress'>) => Promise<SentAnswer>;
  readonly resources: readonly ServedResource[];
  readonly prompts: readonly ServedPrompt[];
}

export interface Streams {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  /** A monotonic clock in milliseconds. */
  readonly elapsed: () => number;
  readonly signal: AbortSignal;
  readonly onError: (message: string) => void;
}

/** Serves until the client closes its stream or the signal aborts. */
export async function serve(
  served: ServedContent,
  { stdin, stdout, elapsed, signal, onError }: Streams,
): Promise<void> {
  // Both process and tests pass Node streams.
  const [input, output] = [stdin as Readable, stdout as Writable];
  const transport = new StdioServerTransport(input, output);
  const handle = serveStdio(() => serverOf(served, elapsed), {
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

const strict = new CfWorkerJsonSchemaValidator();

const lenient: typeof strict = Object.create(strict, {
  getValidator: {
    value(schema: JsonSchema) {
      const check = strict.getValidator(schema);
      return (rawInput: unknown) => {
        const input = convertInput(schema, rawInput);
        const errorMessage = problemOfMembers(schema, input);
        return errorMessage === null ? check(input) : { valid: false, data: undefined, errorMessage };
      };
    },
  },
});

function serverOf(served: ServedContent, elapsed: () => number): McpServer {
  const { version, instructions, tools, resources, prompts } = served;
  const server = new McpServer(
    { name: 'fleet-telematics', title: 'Fleet telematics', version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions, jsonSchemaValidator: strict },
  );
  for (const tool of tools) addTool(server, tool, served, elapsed);
  for (const resource of resources) addResource(server, resource);
  for (const prompt of prompts) addPrompt(server, prompt);
  return server;
}

function addTool(server: McpServer, tool: Tool, { call }: ServedContent, elapsed: () => number): void {
  const { name, title, description, confirm } = tool;
  const isReader = confirm === undefined;
  const annotations = { readOnlyHint: isReader, destructiveHint: !isReader };
  const config = {
    ...{ title, description, annotations: { ...annotations, openWorldHint: false } },
    inputSchema: fromJsonSchema<ToolInput>(inputSchemaOf(tool), lenient),
    outputSchema: fromJsonSchema<JsonSchema>(outputSchema, strict),
  };
  server.registerTool(name, config, async (input, context) => {
    const question = confirm?.question(input) ?? null;
    const answer = question === null || !canAsk(server, context) ? null : confirmation(context, question);
    if (answer === 'no') {
      confirm?.refused(input);
      return resultOf(
        failureText('A person has said no. Nothing was changed. Do not ask again unless the person wants it.'),
      );
    }
    if (answer !== null && answer !== 'yes') return answer;
    return resultOf(
      await call(tool, input, { signal: context.mcpReq.signal, onProgress: progressTo(context, elapsed) }),
    );
  });
}

function resultOf({ text, structured }: SentAnswer): CallToolResult {
  const content = [{ type: 'text' as const, text }];
  return structured === undefined ? { content, isError: true } : { content, structuredContent: { ...structured } };
}

/** Clients before 2026 send their capabilities once, later ones with each request. */
function canAsk({ server }: McpServer, { mcpReq: { envelope } }: ServerContext): boolean {
  const own = isObject(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : undefined;
  const capabilities = isObject(own) ? own : server.getClientCapabilities();
  return capabilities?.elicitation !== undefined;
}

/** Returns the person's decision, or the question for the client. */
function confirmation({ mcpReq }: ServerContext, question: string): 'yes' | 'no' | InputRequiredResult {
  const response = inputResponse(mcpReq.inputResponses, 'confirm');
  if (response.kind !== 'missing') {
    const isYes = response.kind === 'elicit' && response.action === 'accept' && response.content?.confirm === true;
    return isYes ? 'yes' : 'no';
  }
  const confirm = { type: 'boolean' as const, title: 'Carry it out', description: 'This changes the fleet.' };
  const requestedSchema = { type: 'object' as const, properties: { confirm }, required: ['confirm'] };
  return inputRequired({ inputRequests: { confirm: inputRequired.elicit({ message: question, requestedSchema }) } });
}

/** Sends progress. A busy client gets fewer messages, not a queue. */
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

function addPrompt(server: McpServer, { name, title, description, args, text }: ServedPrompt): void {
  const names = Object.keys(args);
  const message = (content: string) => ({
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text: content } }],
  });
  if (names.length === 0) {
    server.registerPrompt(name, { title, description }, () => message(text({})));
    return;
  }
  const properties = Object.fromEntries(
    Object.entries(args).map(([arg, { description: about }]) => [arg, { type: 'string', description: about }]),
  );
  const schema = { type: 'object', properties, required: names.filter((arg) => args[arg]?.required) };
  const argsSchema = fromJsonSchema<Record<string, string>>(schema, strict);
  server.registerPrompt(name, { title, description, argsSchema }, (rawInput) => message(text(rawInput)));
}
