// The service of a run: its clock and address, and the cleanups at the end of the run.
import type { FleetClient } from '../../index.js';

interface ServiceClock {
  serviceNow(): number;
}

/** The service and user that a client acts for. */
export interface Author {
  readonly profile: string;
  readonly baseUrl: string | null;
  readonly login: string | null;
  /** Null when the service has only one user, or none was chosen. */
  readonly user: AuthorUser | null;
}

interface AuthorUser {
  readonly userId: string | null;
  readonly fleetId: string | null;
  readonly userName: string | null;
  readonly fleetName: string | null;
}

export class OpenService {
  readonly #lender: OpenService | null;
  #clock: ServiceClock | null = null;
  #baseUrl: string | null = null;
  #author: Author | null = null;
  #shared: (() => Promise<FleetClient>) | null = null;
  readonly #endings: (() => Promise<void>)[] = [];

  constructor(lender: OpenService | null = null) {
    this.#lender = lender;
  }

  /** Returns a service for one command of a server. Its end closes only what the command opened. */
  lend(client: () => Promise<FleetClient>): OpenService {
    const lent = new OpenService(this);
    lent.share(client);
    return lent;
  }

  /** Sets the clock of the last client. `baseUrl`: null for a service without a network. */
  opened(client: ServiceClock, baseUrl: string | null): void {
    this.#clock = client;
    this.#baseUrl = baseUrl;
  }

  /** Returns the time of the service; null before a client was opened. */
  now(): number | null {
    return this.#clock?.serviceNow() ?? this.#lender?.now() ?? null;
  }

  actsFor(author: Author): void {
    this.#author = author;
  }

  /** Null for an in-process service, and before a client acts for a user. */
  get author(): Author | null {
    return this.#author ?? this.#lender?.author ?? null;
  }

  /** Sets one client for all commands of a server. */
  share(client: () => Promise<FleetClient>): void {
    this.#shared = client;
  }

  /** Null when each command opens its own client. */
  get shared(): (() => Promise<FleetClient>) | null {
    return this.#shared;
  }

  get baseUrl(): string | null {
    return this.#baseUrl ?? this.#lender?.baseUrl ?? null;
  }

  /** Adds a cleanup for the end of the command. Cleanups run in order, also after a failure. */
  onEnd(ending: () => Promise<void>): void {
    this.#endings.push(ending);
  }

  async end(): Promise<void> {
    for (const ending of this.#endings.splice(0)) await ending();
  }
}
