// What the server of the protocol serves, in its own words: it knows neither the fleet nor the command line.
import type { JsonSchema, ToolAnnotations } from './tool.js';

export interface ServedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  readonly annotations: ToolAnnotations;
  /** Never throws. */
  readonly call: (input: Readonly<Record<string, unknown>>, how: HowCalled) => Promise<ToolOutcome>;
  /** What a person is asked before the call, where the client can ask; null for nothing. */
  readonly question: ((input: Readonly<Record<string, unknown>>) => string | null) | null;
  /** Called when the person says no. */
  readonly refused: (input: Readonly<Record<string, unknown>>) => void;
}

export interface HowCalled {
  /** Aborted when the client cancels the call. */
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

export interface ToolOutcome {
  readonly text: string;
  /** Undefined for a failure. */
  readonly structured?: Readonly<Record<string, unknown>>;
}

export interface ServedResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** @throws Error whose message may be shown */
  readonly read: (signal: AbortSignal) => Promise<string>;
}

export interface ServedPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** All are texts. */
  readonly args: Readonly<Record<string, { readonly description: string; readonly required: boolean }>>;
  readonly text: (args: Readonly<Record<string, string>>) => string;
}

export interface Served {
  readonly version: string;
  /** For the model: what the server is good for. */
  readonly instructions: string;
  readonly tools: readonly ServedTool[];
  readonly resources: readonly ServedResource[];
  readonly prompts: readonly ServedPrompt[];
}
