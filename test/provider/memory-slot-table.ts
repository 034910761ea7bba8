import type {
  Heartbeat,
  FreedSlot,
  HolderRow,
  PauseRow,
  SlotAnswer,
  SlotTable,
  TakenSlot,
  WantedSlot,
} from '../../store/gate/slot-table.ts';

const DAY_MS = 86_400_000;

interface SlotRow {
  lease: string | null;
  holder: string | null;
  /** By the database's clock; null: never used. */
  freeAtMs: number | null;
  freedBy: string | null;
  answeredMs: number | null;
  freedMs: number | null;
}

/**
 * The statements of the slot table in memory, each at one instant of the database's clock. The test
 * `slot-table-model.services.ts` compares them with the real ones.
 */
export class MemorySlotTable implements SlotTable {
  readonly #nowMs: () => number;
  readonly #slots = new Map<string, SlotRow[]>();
  readonly #holders = new Map<string, HolderRow>();
  readonly #pauses = new Map<string, { untilMs: number; forMs: number }>();
  readonly #days = new Map<string, number>();

  /** `nowMs`: the database's clock. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  take(wanted: WantedSlot): Promise<SlotAnswer> {
    const { account, holder, lease, slots, dayBudget, dayOffset } = wanted;
    const nowMs = this.#nowMs();
    const rows = this.#rowsOf(account, slots);
    const day = `${account} ${Math.floor(nowMs / DAY_MS) + dayOffset}`;
    const used = this.#days.get(day) ?? 0;
    const isSpent = dayBudget > 0 && used >= dayBudget;
    const answer = {
      isSpent,
      dayLeftMs: DAY_MS - (nowMs % DAY_MS),
      pause: this.#pauseRow(account, nowMs),
    };
    const free = rows
      .map((row, slot) => ({ row, slot, isOrphan: row.holder !== null }))
      .filter(({ row, slot }) => slot < slots && (row.holder === null || !this.#holders.has(row.holder)))
      .sort((a, b) => Number(a.isOrphan) - Number(b.isOrphan) || freeAt(a.row) - freeAt(b.row) || a.slot - b.slot)[0];
    if (isSpent || free === undefined) return Promise.resolve({ ...answer, taken: null });
    const taken = takenSlotOf(free.row, free.slot, nowMs);
    Object.assign(free.row, { holder, lease });
    this.#days.set(day, used + 1);
    return Promise.resolve({ ...answer, taken });
  }

  free({ account, lease, freedBy, answeredMs, freedMs, cooldownMs }: FreedSlot): Promise<void> {
    const row = this.#slots.get(account)?.find((candidate) => candidate.lease === lease);
    const freeAtMs = this.#nowMs() + cooldownMs;
    if (row !== undefined) Object.assign(row, { lease: null, holder: null, freeAtMs, freedBy, answeredMs, freedMs });
    return Promise.resolve();
  }

  pause(account: string, forMs: number): Promise<void> {
    const nowMs = this.#nowMs();
    const { leftMs, forMs: lastForMs } = this.#pauseRow(account, nowMs);
    if (Math.min(leftMs, lastForMs) <= forMs) this.#pauses.set(account, { untilMs: nowMs + forMs, forMs });
    return Promise.resolve();
  }

  register(holder: string, clockMs: number): Promise<void> {
    this.#holders.set(holder, { holder, beat: 0, clockMs });
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
    for (const one of dead) if (this.#holders.get(one.holder)?.beat === one.beat) this.#holders.delete(one.holder);
    const mine = this.#holders.get(holder);
    if (mine !== undefined) this.#holders.set(holder, { holder, beat: mine.beat + 1, clockMs });
    return Promise.resolve({ renewed: mine !== undefined, holders: [...this.#holders.values()] });
  }

  #rowsOf(account: string, slots: number): SlotRow[] {
    const rows = this.#slots.get(account) ?? [];
    this.#slots.set(account, rows);
    while (rows.length < slots) {
      rows.push({ lease: null, holder: null, freeAtMs: null, freedBy: null, answeredMs: null, freedMs: null });
    }
    return rows;
  }

  #pauseRow(account: string, nowMs: number): PauseRow {
    const { untilMs, forMs } = this.#pauses.get(account) ?? { untilMs: 0, forMs: 0 };
    return { key: String(untilMs), forMs, leftMs: untilMs - nowMs };
  }
}

const freeAt = (row: SlotRow): number => row.freeAtMs ?? Number.NEGATIVE_INFINITY;

function takenSlotOf(row: SlotRow, slot: number, nowMs: number): TakenSlot {
  return {
    slot,
    isNew: row.freeAtMs === null,
    isOrphan: row.holder !== null,
    freedBy: row.freedBy,
    answeredMs: row.answeredMs,
    freedMs: row.freedMs,
    cooldownLeftMs: (row.freeAtMs ?? 0) - nowMs,
  };
}
