// The jobs behind tool calls. A longer job continues after its call, and the next call with the
// same input joins it. Finished answers are cached for their pages.
import type { Sleep } from 'fleet-telematics/kit/command';
import type { CompletedAnswer } from './answer.js';

/** Longest wait of a call: clients time out after 60 s by default. */
const WAIT_MS = 45_000;
/** Time without a call after which a job is aborted. */
const ABANDONED_AFTER_MS = 180_000;
const CACHED_MS = 300_000;
const MOST_CACHED = 4;

/** A running job. `partial` returns an answer from the rows that have arrived. */
export interface Work {
  readonly answer: Promise<CompletedAnswer>;
  readonly partial: () => CompletedAnswer;
}

export interface JobRequest {
  /** Identical for calls with the same input, whatever their page. */
  readonly key: string;
  /** True for a later page: its rows must match the previous pages. */
  readonly isNextPage: boolean;
  /** True for a change: it is not abandoned, and its outcome stays until a call fetches it. */
  readonly isChange: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
  readonly start: (signal: AbortSignal, onProgress: (text: string) => void) => Work;
}

interface Job extends Work {
  readonly ending: AbortController;
  readonly listeners: Set<(text: string) => void>;
  readonly isChange: boolean;
  waiting: number;
  finishedAt: number | null;
  /** True when the outcome has not reached any call. */
  isUndelivered: boolean;
  /** Aborted when a call comes in time. */
  abandoning: AbortController;
}

export class Jobs {
  readonly #jobs = new Map<string, Job>();
  readonly #now: () => number;
  readonly #sleep: Sleep;

  constructor(now: () => number, sleep: Sleep) {
    this.#now = now;
    this.#sleep = sleep;
  }

  /**
   * Returns the answer, or after 45 seconds a partial one.
   * @throws the error of the job
   */
  async runOrJoin(request: JobRequest): Promise<CompletedAnswer> {
    const { key, signal, onProgress } = request;
    const job = this.#current(request) ?? this.#begin(request);
    const over = new AbortController();
    const stop = () => over.abort();
    job.waiting++;
    job.abandoning.abort();
    job.listeners.add(onProgress);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      const answer = await Promise.race([job.answer, this.#pause(WAIT_MS, over.signal)]);
      job.isUndelivered = answer === null;
      if (answer !== null) return answer;
      signal.throwIfAborted();
      return job.partial();
    } catch (error) {
      if (!signal.aborted) this.#abort(key, job);
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      stop();
      job.listeners.delete(onProgress);
      job.waiting--;
      if (job.waiting === 0 && job.isUndelivered && !job.isChange) this.#abandon(key, job, signal.aborted);
    }
  }

  end(): void {
    for (const [key, job] of this.#jobs) this.#abort(key, job);
  }

  #current({ key, isNextPage }: JobRequest): Job | null {
    const job = this.#jobs.get(key);
    if (job === undefined) return null;
    if (job.finishedAt === null || job.isUndelivered) return job;
    return isNextPage && this.#now() - job.finishedAt <= CACHED_MS ? job : null;
  }

  #begin({ key, isChange, start }: JobRequest): Job {
    const before = this.#jobs.get(key);
    if (before !== undefined) this.#abort(key, before);
    const [ending, listeners] = [new AbortController(), new Set<(text: string) => void>()];
    const work = start(ending.signal, (text) => {
      for (const listener of listeners) listener(text);
    });
    const abandoning = new AbortController();
    const job: Job = {
      ...{ ...work, ending, listeners, isChange, abandoning },
      ...{ waiting: 0, finishedAt: null, isUndelivered: false },
    };
    this.#jobs.set(key, job);
    const settle = () => {
      job.finishedAt = this.#now();
      const cached = [...this.#jobs].filter(
        ([, { finishedAt, isUndelivered }]) => finishedAt !== null && !isUndelivered,
      );
      for (const [oldKey, old] of cached.slice(0, -MOST_CACHED)) this.#abort(oldKey, old);
    };
    // A failure without a waiting call is thrown at the next call.
    work.answer.then(settle, settle);
    return job;
  }

  /** Aborts a job without waiting calls: at once when cancelled, otherwise after a timeout. */
  #abandon(key: string, job: Job, isCancelled: boolean): void {
    if (isCancelled) {
      this.#abort(key, job);
      return;
    }
    const abandoning = new AbortController();
    job.abandoning = abandoning;
    void this.#pause(ABANDONED_AFTER_MS, abandoning.signal).then(() => {
      if (!abandoning.signal.aborted) this.#abort(key, job);
    });
  }

  #abort(key: string, job: Job): void {
    job.ending.abort();
    job.abandoning.abort();
    if (this.#jobs.get(key) === job) this.#jobs.delete(key);
  }

  /** Resolves with null after the time or on abort. */
  async #pause(ms: number, signal: AbortSignal): Promise<null> {
    await this.#sleep(ms, signal).catch(() => undefined);
    return null;
  }
}
