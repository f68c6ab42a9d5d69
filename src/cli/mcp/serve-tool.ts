// One call of a tool: in a context of its own, within its time limit, and with every failure told in words.
import { type Context, serviceNow } from '../context/context.js';
import { given, type KnownAnswer, known } from './answer.js';
import { callContext } from './call-context.js';
import { failureText } from './failure.js';
import type { ServedTool } from './served.js';
import type { Tool } from './tool.js';

/** How many answers are kept for those who ask for their next rows, and for how long. */
const MOST_KEPT = 4;
const KEPT_MS = 300_000;

/** `server`: the context of the command. */
export function servedTool(server: Context, tool: Tool): ServedTool {
  const { name, title, description, input, output, annotations, question, refused } = tool;
  const kept = new KeptAnswers();
  return {
    ...{ name, title, description, input, output, annotations, question: question ?? null },
    refused: refused ?? (() => undefined),
    async call(args, { signal, onProgress }) {
      const ending = new CallEnding([signal, server.io.signal], tool.timeLimitMs);
      const context = callContext(server, { signal: ending.signal, onProgress });
      try {
        const next = kept.nextOf(args, serviceNow(context));
        if (next !== null) return given(context, next);
        const answer = known(context, await tool.run(context, args));
        kept.keep(args, answer, serviceNow(context));
        return given(context, answer);
      } catch (error) {
        // Whether a change was made, its own error says.
        const isTold = ending.isOver && annotations.readOnlyHint;
        return { text: failureText(context, error, isTold ? tool.timeLimitMs : null) };
      } finally {
        ending.settle();
      }
    },
  };
}

/** Ends a call with its client, with the server, or when its time is over. Nothing of a call is left when it has been answered. */
class CallEnding {
  readonly #ending = new AbortController();
  readonly #others: readonly AbortSignal[];
  readonly #timer: NodeJS.Timeout;
  readonly #stop = () => this.#ending.abort();
  isOver = false;

  constructor(others: readonly AbortSignal[], limitMs: number) {
    this.#others = others;
    for (const other of others) other.addEventListener('abort', this.#stop, { once: true });
    if (others.some(({ aborted }) => aborted)) this.#stop();
    this.#timer = setTimeout(() => {
      this.isOver = true;
      this.#stop();
    }, limitMs);
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  settle(): void {
    clearTimeout(this.#timer);
    for (const other of this.#others) other.removeEventListener('abort', this.#stop);
  }
}

type Input = Readonly<Record<string, unknown>>;

/** The rows of an answer are read once, and handed out page by page: they cost requests, and meanwhile the fleet moves. */
class KeptAnswers {
  readonly #answers = new Map<string, { readonly answer: KnownAnswer; readonly keptAt: number }>();

  /** Null for those who ask for the first rows: they want to know how it is now. */
  nextOf({ offset, limit, ...question }: Input, now: number): KnownAnswer | null {
    const kept = typeof offset === 'number' && offset > 0 ? this.#answers.get(JSON.stringify(question)) : undefined;
    // Not since the time of its data: what a copy answers may be old from the start.
    if (kept === undefined || now - kept.keptAt > KEPT_MS) return null;
    return { ...kept.answer, page: { offset: Number(offset), limit: typeof limit === 'number' ? limit : undefined } };
  }

  keep({ offset, limit, ...question }: Input, answer: KnownAnswer, keptAt: number): void {
    const key = JSON.stringify(question);
    this.#answers.delete(key);
    if (answer.rows === undefined || answer.rows.length === 0) return;
    this.#answers.set(key, { answer, keptAt });
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MOST_KEPT && oldest !== undefined) this.#answers.delete(oldest);
  }
}
