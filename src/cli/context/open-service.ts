// The service that a run has opened a client of: its clock and its address, and what is to be closed when the run ends.

interface ServiceClock {
  serviceNow(): number;
}

export class OpenService {
  #clock: ServiceClock | null = null;
  #baseUrl: string | null = null;
  readonly #endings: (() => Promise<void>)[] = [];

  /** The last client counts; clients for other users of the login share its clock. `baseUrl`: null when no network is between. */
  opened(client: ServiceClock, baseUrl: string | null): void {
    this.#clock = client;
    this.#baseUrl = baseUrl;
  }

  /** The time of the service; null before a client was opened. */
  now(): number | null {
    return this.#clock?.serviceNow() ?? null;
  }

  get baseUrl(): string | null {
    return this.#baseUrl;
  }

  /** Called when the command ends, whether it succeeds or fails; in order. */
  onEnd(ending: () => Promise<void>): void {
    this.#endings.push(ending);
  }

  async end(): Promise<void> {
    for (const ending of this.#endings.splice(0)) await ending();
  }
}
