// Runs `fleet mcp` in this process, and connects the official client over its two streams.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { Client, type ClientOptions, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import type { Sleep } from '../../../src/cli/io/io.js';
import { run } from '../../../src/cli/run/run.js';
import type { Fetch } from '../../../src/core/ports.js';
import { baseUrl, clock } from '../../../test/cli/harness.js';
import { packages } from '../../../test/cli/packages.js';

/** One message per line. */
class StreamTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #to: PassThrough;
  readonly #from: PassThrough;
  /** All output of the server. */
  text = '';

  constructor(to: PassThrough, from: PassThrough) {
    this.#to = to;
    this.#from = from;
  }

  async start(): Promise<void> {
    let rest = '';
    this.#from.setEncoding('utf8').on('data', (chunk: string) => {
      this.text += chunk;
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      // Output that is not JSON fails the test: stdout is reserved for the protocol.
      for (const line of lines) this.onmessage?.(JSON.parse(line));
    });
    this.#from.on('end', () => this.onclose?.());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#to.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#to.end();
  }
}

export interface ConnectedServer {
  readonly client: Client;
  readonly folder: string;
  /** Returns the server's stdout. */
  written(): string;
  /** Closes stdin and waits for the server's end. */
  end(): Promise<{ readonly code: number; readonly stderr: string }>;
  /** Calls a tool. */
  ask(name: string, args?: Readonly<Record<string, unknown>>): Promise<ToolReply>;
}

export interface ToolReply {
  readonly isError: boolean;
  readonly text: string;
  /** Empty for a failure. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Size of the result as sent. */
  readonly bytes: number;
}

interface Place {
  readonly words?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly options?: ClientOptions;
  /** Prepares the client before it connects. */
  readonly prepare?: (client: Client) => void;
  readonly folder?: string;
  /** Default: the constant clock of the tests. */
  readonly clock?: { now(): number };
  readonly sleep?: Sleep;
}

export async function connectServer(fetch: Fetch | undefined, place: Place = {}): Promise<ConnectedServer> {
  const { words = [], env = { FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo' }, options, prepare } = place;
  const folder = place.folder ?? mkdtempSync(join(tmpdir(), 'fleet-mcp-'));
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const said = textOf(stderr);
  const code = run(['mcp', ...words], {
    ...{ stdin, stdout, stderr, fetch },
    clock: place.clock ?? clock,
    sleep: place.sleep,
    env: { FLEET_CONFIG_DIR: folder, FLEET_BASE_URL: baseUrl, TZ: 'Europe/Tallinn', ...env },
    signal: new AbortController().signal,
    packages,
  });
  const ended = code.then(async (number) => {
    stdout.end();
    stderr.end();
    return { code: number, stderr: await said };
  });
  const transport = new StreamTransport(stdin, stdout);
  const client = new Client({ name: 'test', version: '1.0.0' }, options);
  prepare?.(client);
  await client.connect(transport);
  onTestFinished(async () => {
    stdin.end();
    await ended;
    if (place.folder === undefined) rmSync(folder, { recursive: true, force: true });
  });
  return {
    client,
    folder,
    written: () => transport.text,
    end: () => {
      stdin.end();
      return ended;
    },
    async ask(name, args = {}) {
      const result = await client.callTool({ name, arguments: args });
      return toolReplyOf(result);
    },
  };
}

function toolReplyOf(result: Awaited<ReturnType<Client['callTool']>>): ToolReply {
  const [first] = result.content;
  return {
    isError: result.isError === true,
    text: first?.type === 'text' ? first.text : '',
    data: Object(result.structuredContent ?? {}),
    bytes: Buffer.byteLength(JSON.stringify(result)),
  };
}
