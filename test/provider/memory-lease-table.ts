import type {
  Heartbeat,
  FreedLease,
  HolderRow,
  PauseRow,
  LeaseAnswer,
  LeaseTable,
  TakenLease,
  WantedLease,
} from '../../store/rate-limiter/lease-table.ts';

const DAY_MS = 86_400_000;

interface LeaseRow {
  leaseId: string | null;
  holder: string | null;
  /** By the database's clock; null: never used. */
  freeAtMs: number | null;
  freedBy: string | null;
  answeredMs: number | null;
  freedMs: number | null;
}

/**
 * The statements of the lease table in memory, each at one instant of the database's clock. The test
 * `lease-table-model.services.ts` compares them with the real ones.
 */
export class MemoryLeaseTable implements LeaseTable {
  readonly #nowMs: () => number;
  readonly #leases = new Map<string, LeaseRow[]>();
  readonly #holders = new Map<string, HolderRow>();
  readonly #pauses = new Map<string, { untilMs: number; forMs: number }>();
  readonly #days = new Map<string, number>();

  /** `nowMs`: the database's clock. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  take(wanted: WantedLease): Promise<LeaseAnswer> {
    const { account, holder, leaseId, leases, dayBudget, dayOffset } = wanted;
    const nowMs = this.#nowMs();
    const rows = this.#rowsOf(account, leases);
    const day = `${account} ${Math.floor(nowMs / DAY_MS) + dayOffset}`;
    const used = this.#days.get(day) ?? 0;
    const isSpent = dayBudget > 0 && used >= dayBudget;
    const answer = {
      isSpent,
      dayLeftMs: DAY_MS - (nowMs % DAY_MS),
      pause: this.#pauseRow(account, nowMs),
    };
    const free = rows
      .map((row, number) => ({ row, number, isOrphan: row.holder !== null }))
      .filter(({ row, number }) => number < leases && (row.holder === null || !this.#holders.has(row.holder)))
      .sort(
        (a, b) => Number(a.isOrphan) - Number(b.isOrphan) || freeAt(a.row) - freeAt(b.row) || a.number - b.number,
      )[0];
    if (isSpent || free === undefined) return Promise.resolve({ ...answer, taken: null });
    const taken = takenLeaseOf(free.row, free.number, nowMs);
    Object.assign(free.row, { holder, leaseId });
    this.#days.set(day, used + 1);
    return Promise.resolve({ ...answer, taken });
  }

  free({ account, leaseId, freedBy, answeredMs, freedMs, cooldownMs }: FreedLease): Promise<void> {
    const row = this.#leases.get(account)?.find((candidate) => candidate.leaseId === leaseId);
    const freeAtMs = this.#nowMs() + cooldownMs;
    if (row !== undefined) Object.assign(row, { leaseId: null, holder: null, freeAtMs, freedBy, answeredMs, freedMs });
    return Promise.resolve();
  }

  pause(account: string, forMs: number): Promise<void> {
    const nowMs = this.#nowMs();
    const { leftMs, forMs: lastForMs } = this.#pauseRow(account, nowMs);
    if (Math.min(leftMs, lastForMs) <= forMs) this.#pauses.set(account, { untilMs: nowMs + forMs, forMs });
    return Promise.resolve();
  }

  register(holder: string, clockMs: number): Promise<void> {
    this.#holders.set(holder, { holder, heartbeat: 0, clockMs });
    return Promise.resolve();
  }

  deregister(holder: string): Promise<void> {
    this.#holders.delete(holder);
    return Promise.resolve();
  }

  heartbeat(
    holder: string,
    clockMs: number,
    dead: readonly Heartbeat[],
  ): Promise<{ renewed: boolean; holders: HolderRow[] }> {
    for (const one of dead)
      if (this.#holders.get(one.holder)?.heartbeat === one.heartbeat) this.#holders.delete(one.holder);
    const mine = this.#holders.get(holder);
    if (mine !== undefined) this.#holders.set(holder, { holder, heartbeat: mine.heartbeat + 1, clockMs });
    return Promise.resolve({ renewed: mine !== undefined, holders: [...this.#holders.values()] });
  }

  #rowsOf(account: string, leases: number): LeaseRow[] {
    const rows = this.#leases.get(account) ?? [];
    this.#leases.set(account, rows);
    while (rows.length < leases) {
      rows.push({ leaseId: null, holder: null, freeAtMs: null, freedBy: null, answeredMs: null, freedMs: null });
    }
    return rows;
  }

  #pauseRow(account: string, nowMs: number): PauseRow {
    const { untilMs, forMs } = this.#pauses.get(account) ?? { untilMs: 0, forMs: 0 };
    return { key: String(untilMs), forMs, leftMs: untilMs - nowMs };
  }
}

const freeAt = (row: LeaseRow): number => row.freeAtMs ?? Number.NEGATIVE_INFINITY;

function takenLeaseOf(row: LeaseRow, number: number, nowMs: number): TakenLease {
  return {
    number,
    isNew: row.freeAtMs === null,
    isOrphan: row.holder !== null,
    freedBy: row.freedBy,
    answeredMs: row.answeredMs,
    freedMs: row.freedMs,
    cooldownLeftMs: (row.freeAtMs ?? 0) - nowMs,
  };
}
