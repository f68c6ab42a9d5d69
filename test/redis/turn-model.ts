// What the script of a turn promises, written as plainly as possible, to compare the script with: the waiting are a list, and everything
// is looked through from the beginning.

export const LEASE = 10_000;
const RANK_STEP = 2 ** 51;

interface Waiting {
  readonly ticket: string;
  readonly rank: number;
  readonly arrival: number;
}

export class TurnModel {
  /** Virtual microseconds since 1970. */
  micros = 1_800_000_000_000_000;
  server = 'server1';
  startedAt = 1_700_000_000_000;
  #data = emptyData();
  /** What was put into the inbox of each ticket. */
  readonly inboxes = new Map<string, string[]>();
  /** Every fencing token that was given, in order, whatever happened to the data. */
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
    if (!keepsData) this.drop();
  }

  drop(): void {
    this.#data = emptyData();
    this.inboxes.clear();
  }

  /** The place of a ticket that was told one. */
  readonly places = new Map<string, number>();

  take(ticket: string, rank: number, place: number | null): string[] {
    const data = this.#begin();
    if (data.holder === ticket) {
      data.until = this.now + LEASE;
      return ['held', String(data.fence), String(LEASE)];
    }
    let mine = data.line.find((waiting) => waiting.ticket === ticket);
    if (!mine) {
      if (place === null) data.newest = Math.max(data.newest + 1, this.micros);
      const known = place ?? rank * RANK_STEP + data.newest;
      mine = { ticket, rank: Math.floor(known / RANK_STEP), arrival: known % RANK_STEP };
      data.line.push(mine);
    }
    data.aliveUntil.set(ticket, this.now + LEASE / 2);
    const rest = this.#advance(ticket);
    if (data.holder === ticket) return ['held', String(data.fence), String(LEASE)];
    const isFirst = inOrder(data.line)[0] === mine;
    const ask = isFirst ? Math.min(rest, LEASE / 4) : LEASE / 4;
    return ['waiting', String(mine.rank * RANK_STEP + mine.arrival), String(ask)];
  }

  renew(ticket: string, fence: number): string[] {
    const data = this.#begin();
    const isMine = data.holder === ticket;
    const isNewest = data.fence < fence || (data.holder === null && data.fence === fence);
    if (isMine || isNewest) {
      if (!isMine) data.since = this.now;
      data.holder = ticket;
      data.fence = Math.max(data.fence, fence);
      data.until = this.now + LEASE;
      return ['held', String(data.fence), String(LEASE)];
    }
    this.#advance('');
    return ['lost'];
  }

  leave(ticket: string): string[] {
    const data = this.#begin();
    data.line = data.line.filter((waiting) => waiting.ticket !== ticket);
    data.aliveUntil.delete(ticket);
    if (data.holder === ticket) data.holder = null;
    if (data.holder === null || data.until <= this.now) {
      this.#advance('');
      const [first] = inOrder(data.line);
      if (data.holder === null && first) this.#tell(first.ticket, `L ${first.ticket}`);
    }
    return ['left'];
  }

  pause(ms: number): string[] {
    const data = this.#begin();
    data.pausedUntil = Math.max(data.pausedUntil, this.now + ms);
    return ['paused'];
  }

  look(): number[] {
    const { holder, since, line, pausedUntil, until } = this.#data;
    const rest = (end: number) => Math.max(0, end - this.now);
    return [holder === null ? 0 : 1, Math.max(0, this.now - since), line.length, rest(pausedUntil), rest(until)];
  }

  #begin() {
    const data = this.#data;
    const grace = this.now + LEASE / 2;
    if (data.server !== this.server) {
      data.settled = data.server !== null ? grace : Math.max(this.now, grace - this.uptimeSeconds * 1000);
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
    data.holder = null;
    const blockedUntil = Math.max(data.settled, data.pausedUntil);
    if (blockedUntil > this.now) return blockedUntil - this.now;
    for (;;) {
      const isOldestsTurn = (data.turns + 1) % 8 === 0;
      const order = isOldestsTurn ? [...data.line].sort((a, b) => a.arrival - b.arrival) : inOrder(data.line);
      const [next] = order;
      if (!next) return 0;
      data.line = data.line.filter((waiting) => waiting !== next);
      const isAlive = (data.aliveUntil.get(next.ticket) ?? 0) > this.now;
      data.aliveUntil.delete(next.ticket);
      if (!isAlive) continue;
      data.turns++;
      data.fence = Math.max(data.fence + 1, this.micros);
      data.holder = next.ticket;
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
  };
}

const inOrder = (line: readonly Waiting[]) => [...line].sort((a, b) => a.rank - b.rank || a.arrival - b.arrival);
