// The work behind calls of tools. A call waits for a time that every client allows; longer work goes
// on, and the next call with the same input takes it over. A finished answer is cached for its pages.
import type { Sleep } from '../io/io.js';
import type { KnownAnswer } from './answer.js';

/** The longest wait of one call. Clients give up after 60 s by default. */
const WAIT_MS = 45_000;
/** The time in which the next call must come, or the work ends. */
const ABANDONED_AFTER_MS = 180_000;
const CACHED_MS = 300_000;
const MOST_CACHED = 4;

/** Work under way. `partial` returns an answer from what has arrived so far. */
export interface Work {
  readonly answer: Promise<KnownAnswer>;
  readonly partial: () => KnownAnswer;
}

export interface Asked {
  /** Equal for calls with the same input, whatever page they ask for. */
  readonly key: string;
  /** True for a page that follows another one: its rows must fit the rows before. */
  readonly isNextPage: boolean;
  /** Aborted when the client cancels the call. */
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
  readonly start: (signal: AbortSignal, onProgress: (text: string) => void) => Work;
}

interface Job extends Work {
  readonly ending: AbortController;
  onProgress: (text: string) => void;
  /** Counts the calls that have asked for it. */
  calls: number;
  finishedAt: number | null;
  /** True when the last call ended before the work: the next one gets its answer. */
  isOwed: boolean;
}

export class Jobs {
  readonly #jobs = new Map<string, Job>();
  readonly #now: () => number;
  readonly #sleep: Sleep;

  constructor(now: () => number, sleep: Sleep) {
    this.#now = now;
    this.#sleep = sleep;
  }

  /** Returns the answer, or after 45 seconds what there is of it. @throws the error of the work */
  async ask({ key, isNextPage, signal, onProgress, start }: Asked): Promise<KnownAnswer> {
    const job = this.#current(key, isNextPage) ?? this.#begin(key, start);
    const call = ++job.calls;
    const isLast = () => job.calls === call;
    job.onProgress = onProgress;
    const over = new AbortController();
    const stop = () => over.abort();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      const answer = await Promise.race([job.answer, this.#pause(WAIT_MS, over.signal)]);
      job.isOwed = answer === null;
      if (answer !== null) return answer;
    } finally {
      signal.removeEventListener('abort', stop);
      stop();
    }
    if (signal.aborted && isLast()) this.#end(key, job);
    signal.throwIfAborted();
    void this.#pause(ABANDONED_AFTER_MS, job.ending.signal).then(() => {
      if (isLast()) this.#end(key, job);
    });
    return job.partial();
  }

  /** Ends all work. */
  end(): void {
    for (const [key, job] of this.#jobs) this.#end(key, job);
  }

  #current(key: string, isNextPage: boolean): Job | null {
    const job = this.#jobs.get(key);
    if (job === undefined) return null;
    if (job.finishedAt === null || job.isOwed) return job;
    return isNextPage && this.#now() - job.finishedAt <= CACHED_MS ? job : null;
  }

  #begin(key: string, start: Asked['start']): Job {
    const ending = new AbortController();
    const work = start(ending.signal, (text) => job.onProgress(text));
    const job: Job = {
      ...{ ...work, ending, calls: 0, finishedAt: null, isOwed: false },
      onProgress: () => undefined,
    };
    this.#jobs.delete(key);
    this.#jobs.set(key, job);
    work.answer.then(
      () => {
        job.finishedAt = this.#now();
        const finished = [...this.#jobs].filter(([, { finishedAt }]) => finishedAt !== null);
        for (const [old] of finished.slice(0, -MOST_CACHED)) this.#jobs.delete(old);
      },
      () => this.#forget(key, job),
    );
    return job;
  }

  #end(key: string, job: Job): void {
    job.ending.abort();
    this.#forget(key, job);
  }

  #forget(key: string, job: Job): void {
    if (this.#jobs.get(key) === job) this.#jobs.delete(key);
  }

  /** Ends with the time or the signal, and returns null. */
  async #pause(ms: number, signal: AbortSignal): Promise<null> {
    await this.#sleep(ms, signal).catch(() => undefined);
    return null;
  }
}
