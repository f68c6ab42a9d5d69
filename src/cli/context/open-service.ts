// The service that a run has opened a client of: its clock and its address, and what is to be closed when the run ends.
import type { FleetClient } from '../../index.js';

interface ServiceClock {
  serviceNow(): number;
}

/** For whom a client acts, and at which service. */
export interface Author {
  readonly profile: string;
  readonly baseUrl: string | null;
  readonly login: string | null;
  /** What is known of the user; null when the service has only one, or none was chosen. */
  readonly user: ActingFor | null;
}

export interface ActingFor {
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

  /**
   * Returns a service for one command of a server: the command gets this client, the clock and the
   * author of the server, and ends nothing but what it has opened itself.
   */
  lend(client: () => Promise<FleetClient>): OpenService {
    const lent = new OpenService(this);
    lent.share(client);
    return lent;
  }

  /** The last client counts; clients for other users of the login share its clock. `baseUrl`: null when no network is between. */
  opened(client: ServiceClock, baseUrl: string | null): void {
    this.#clock = client;
    this.#baseUrl = baseUrl;
  }

  /** The time of the service; null before a client was opened. */
  now(): number | null {
    return this.#clock?.serviceNow() ?? this.#lender?.now() ?? null;
  }

  actsFor(author: Author): void {
    this.#author = author;
  }

  /** Null for a service of this process, and before a client acts for a user. */
  get author(): Author | null {
    return this.#author ?? this.#lender?.author ?? null;
  }

  /** A server answers many calls with one client. */
  share(client: () => Promise<FleetClient>): void {
    this.#shared = client;
  }

  /** Null where each command opens its own. */
  get shared(): (() => Promise<FleetClient>) | null {
    return this.#shared;
  }

  get baseUrl(): string | null {
    return this.#baseUrl ?? this.#lender?.baseUrl ?? null;
  }

  /** Called when the command ends, whether it succeeds or fails; in order. */
  onEnd(ending: () => Promise<void>): void {
    this.#endings.push(ending);
  }

  async end(): Promise<void> {
    for (const ending of this.#endings.splice(0)) await ending();
  }
}
