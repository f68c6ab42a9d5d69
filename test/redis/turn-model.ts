// A simple model of the turn script: the waiting tickets are a list, searched from the start.

export const LEASE = 10_000;
const BEAT = 750;
/** Time after which a holder whose connection has ended loses the turn. */
const GONE = 1_250;
const RANK_STEP = 2 ** 51;

interface Waiting {
  readonly ticket: string;
  readonly rank: number;
  readonly arrival: number;
}

/** The caller. `hasAnswer`: Redis has answered it before. `connection`: '' when unknown. */
export interface Caller {
  readonly ticket: string;
  readonly hasAnswer: boolean;
  readonly connection: string;
}

/** The data of a new primary: all, the server record but no data of this key, or nothing. */
export type Has = 'everything' | 'record' | 'nothing';

export class TurnModel {
  /** Virtual microseconds since 1970. */
  micros = 1_800_000_000_000_000;
  server = 'server1';
  startedAt = 1_700_000_000_000;
  /** True when the server was a replica before. */
  isPromoted = false;
  #data = emptyData();
  /** The known server, and the time until which missing data may be lost data. */
  #serverRecord: { readonly server: string; readonly quietUntil: number } | null = null;
  readonly inboxes = new Map<string, string[]>();
  /** All granted fencing tokens in order, even after data loss. */
  readonly granted: { readonly ticket: string; readonly fence: number; readonly at: number }[] = [];

  get now(): number {
    return Math.floor(this.micros / 1000);
  }

  get uptimeSeconds(): number {
    return Math.floor((this.now - this.startedAt) / 1000);
  }

  restart(server: string, keepsData: boolean): void {
    this.server = server;
    this.startedAt = this.now;
    this.isPromoted = false;
    if (!keepsData) this.drop(true);
  }

  /** An old replica takes over. */
  failOver(server: string, has: Has): void {
    this.server = server;
    this.startedAt = this.now - 1_000_000_000;
    this.isPromoted = true;
    if (has !== 'everything') this.drop(has === 'nothing');
  }

  drop(isKnownToo: boolean): void {
    this.#data = emptyData();
    if (isKnownToo) this.#serverRecord = null;
    this.inboxes.clear();
  }

  /** Last known place of each ticket. */
  readonly places = new Map<string, number>();

  take({ ticket, hasAnswer, connection }: Caller, rank: number, place: number | null): string[] {
    const data = this.#begin(hasAnswer);
    if (data.holder === ticket) {
      data.through = connection;
      data.until = this.now + LEASE;
      return ['held', String(data.fence), String(LEASE)];
    }
    let mine = data.line.find((waiting) => waiting.ticket === ticket);
    if (!mine) {
      if (place === null) data.newest = Math.max(data.newest + 1, this.micros);
      const ticketPlace = place ?? rank * RANK_STEP + data.newest;
      mine = { ticket, rank: Math.floor(ticketPlace / RANK_STEP), arrival: ticketPlace % RANK_STEP };
      data.line.push(mine);
    }
    data.aliveUntil.set(ticket, this.now + LEASE / 2);
    data.connections.set(ticket, connection);
    const rest = this.#advance(ticket);
    if (data.holder === ticket) return ['held', String(data.fence), String(LEASE)];
    const order = inOrder(data.line);
    const ahead = order[order.indexOf(mine) - 1];
    const before = ahead?.ticket ?? data.holder ?? '';
    const through = ahead ? (data.connections.get(ahead.ticket) ?? '') : data.through;
    return [
      'waiting',
      String(mine.rank * RANK_STEP + mine.arrival),
      String(ahead ? BEAT : Math.min(rest, BEAT)),
      before,
      through === connection ? '' : through,
    ];
  }

  renew({ ticket, hasAnswer, connection }: Caller, fence: number): string[] {
    const data = this.#begin(hasAnswer);
    const isMine = data.holder === ticket;
    const isNewest = data.fence < fence || (data.holder === null && data.fence === fence);
    if (isMine || isNewest) {
      if (!isMine) data.since = this.now;
      data.holder = ticket;
      data.through = connection;
      data.fence = Math.max(data.fence, fence);
      data.until = this.now + LEASE;
      return ['held', String(data.fence), String(LEASE)];
    }
    this.#advance('');
    return ['lost'];
  }

  gone({ hasAnswer }: Caller, ticket: string, connection: string): string[] {
    const data = this.#begin(hasAnswer);
    if (data.holder === ticket && data.through === connection) {
      data.until = Math.min(data.until, this.now + GONE);
      data.through = '';
    }
    if (data.connections.get(ticket) === connection) this.#removeFromLine(ticket);
    return ['noted'];
  }

  leave({ ticket, hasAnswer }: Caller): string[] {
    const data = this.#begin(hasAnswer);
    this.#removeFromLine(ticket);
    if (data.holder === ticket) this.#free();
    if (data.holder === null || data.until <= this.now) {
      this.#advance('');
      const [first] = inOrder(data.line);
      if (data.holder === null && first) this.#tell(first.ticket, `L ${first.ticket}`);
    }
    return ['left'];
  }

  pause({ hasAnswer }: Caller, ms: number): string[] {
    const data = this.#begin(hasAnswer);
    data.pausedUntil = Math.max(data.pausedUntil, this.now + ms);
    return ['paused'];
  }

  look(): number[] {
    const { holder, since, line, pausedUntil, until } = this.#data;
    const rest = (end: number) => Math.max(0, end - this.now);
    return [holder === null ? 0 : 1, Math.max(0, this.now - since), line.length, rest(pausedUntil), rest(until)];
  }

  #removeFromLine(ticket: string): void {
    const data = this.#data;
    data.line = data.line.filter((waiting) => waiting.ticket !== ticket);
    data.aliveUntil.delete(ticket);
    data.connections.delete(ticket);
  }

  #free(): void {
    this.#data.holder = null;
    this.#data.through = '';
  }

  #begin(hasAnswer: boolean) {
    const data = this.#data;
    const grace = this.now + LEASE / 2;
    if (data.server !== this.server) {
      if (this.#serverRecord?.server !== this.server) {
        const mayBeGone = data.server !== null || this.#serverRecord !== null || hasAnswer || this.isPromoted;
        const quietUntil = mayBeGone ? grace : Math.max(this.now, grace - this.uptimeSeconds * 1000);
        this.#serverRecord = { server: this.server, quietUntil };
      }
      data.settled = data.server !== null ? grace : this.#serverRecord.quietUntil;
      data.through = '';
      if (data.holder !== null) data.until = Math.max(data.until, data.settled);
      data.server = this.server;
    }
    const stoodStill = this.now - (data.seen ?? this.now) > LEASE / 2;
    if (data.holder !== null && data.until <= this.now && stoodStill) data.until = grace;
    data.seen = this.now;
    return data;
  }

  #advance(caller: string): number {
    const data = this.#data;
    if (data.holder !== null && data.until > this.now) return data.until - this.now;
    this.#free();
    const blockedUntil = Math.max(data.settled, data.pausedUntil);
    if (blockedUntil > this.now) return blockedUntil - this.now;
    for (;;) {
      const isOldestsTurn = (data.turns + 1) % 8 === 0;
      const order = isOldestsTurn ? [...data.line].sort((a, b) => a.arrival - b.arrival) : inOrder(data.line);
      const [next] = order;
      if (!next) return 0;
      const isAlive = (data.aliveUntil.get(next.ticket) ?? 0) > this.now;
      const through = data.connections.get(next.ticket) ?? '';
      this.#removeFromLine(next.ticket);
      if (!isAlive) continue;
      data.turns++;
      data.fence = Math.max(data.fence + 1, this.micros);
      data.holder = next.ticket;
      data.through = through;
      data.since = this.now;
      data.until = this.now + LEASE;
      this.granted.push({ ticket: next.ticket, fence: data.fence, at: this.now });
      if (next.ticket !== caller) this.#tell(next.ticket, `G ${next.ticket} ${data.fence}`);
      return LEASE;
    }
  }

  #tell(ticket: string, message: string): void {
    this.inboxes.set(ticket, [...(this.inboxes.get(ticket) ?? []), message]);
  }
}

function emptyData() {
  return {
    holder: null as string | null,
    /** Connection of the holder; '' when unknown. */
    through: '',
    fence: 0,
    until: 0,
    since: 0,
    server: null as string | null,
    settled: 0,
    newest: 0,
    pausedUntil: 0,
    seen: null as number | null,
    turns: 0,
    line: [] as Waiting[],
    aliveUntil: new Map<string, number>(),
    connections: new Map<string, string>(),
  };
}

const inOrder = (line: readonly Waiting[]) => [...line].sort((a, b) => a.rank - b.rank || a.arrival - b.arrival);
