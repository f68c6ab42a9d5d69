// Reads from the local server. A hidden tab closes the stream, which stops the polling.
import type { LiveMessage, MapDay, MapGeofence, MapProblem, MapRoads } from '../shapes.js';
import { ProblemError, type Source, type SourceEvents } from './source.js';
import type { Language } from './words/language.js';
import { pageSentence, problemSentences } from './words/problem-sentences.js';

export class LiveSource implements Source {
  readonly #language: Language;
  #stream: EventSource | null = null;
  #hasEnded = false;

  constructor(language: Language) {
    this.#language = language;
  }

  start(events: SourceEvents): void {
    const update = () => {
      if (document.hidden) this.#close(events);
      else this.#open(events);
    };
    document.addEventListener('visibilitychange', update);
    // A page that the browser restores from its history has lost its stream.
    window.addEventListener('pageshow', update);
    window.addEventListener('pagehide', () => this.#close(events));
    update();
  }

  day(vehicleId: string, day: string | null, signal: AbortSignal): Promise<MapDay> {
    return this.#read(`day?${new URLSearchParams({ vehicle: vehicleId, day: day ?? '' })}`, signal);
  }

  geofences(): Promise<readonly MapGeofence[]> {
    return this.#read('geofences');
  }

  roads(daysAgo = 0, signal?: AbortSignal): Promise<MapRoads> {
    return this.#read(daysAgo === 0 ? 'roads' : `roads?ago=${daysAgo}`, signal);
  }

  #open(events: SourceEvents): void {
    if (this.#stream !== null || this.#hasEnded) return;
    events.connection('connecting');
    const stream = new EventSource('events');
    this.#stream = stream;
    const take = (event: MessageEvent<string>) => {
      const message: LiveMessage = JSON.parse(event.data);
      events.message(message);
      if (message.kind !== 'problem') return events.connection('live');
      if (!message.isEnd) return;
      this.#hasEnded = true;
      stream.close();
      events.connection('ended');
    };
    for (const kind of ['fleet', 'changes', 'problem'] as const satisfies readonly LiveMessage['kind'][]) {
      stream.addEventListener(kind, take);
    }
    stream.addEventListener('error', () => {
      if (!this.#hasEnded) events.connection('lost');
      // After some errors the browser does not reconnect.
      if (stream.readyState === EventSource.CLOSED) {
        this.#stream = null;
        setTimeout(() => !document.hidden && this.#open(events), 5_000);
      }
    });
  }

  #close(events: SourceEvents): void {
    if (this.#stream === null || this.#hasEnded) return;
    this.#stream.close();
    this.#stream = null;
    events.connection('paused');
  }

  async #read<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
    let response: Response;
    try {
      response = await fetch(path, signal === undefined ? {} : { signal });
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') throw error;
      throw this.#unreachable();
    }
    if (response.ok) return response.json();
    const isProblem = response.headers.get('content-type')?.startsWith('application/json') === true;
    if (!isProblem) throw this.#unreachable();
    const problem: MapProblem = await response.json();
    throw new ProblemError(problemSentences(problem, this.#language));
  }

  #unreachable(): ProblemError {
    return new ProblemError(
      [this.#language.text('unreachable'), this.#language.text('unreachableHint')].map(pageSentence),
    );
  }
}
