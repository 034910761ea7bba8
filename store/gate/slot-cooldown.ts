import type { SlotHolder } from './slot-holder.ts';
import type { TakenSlot } from './slot-table.ts';

/** A second, and a margin for the drift and resolution of two machines' steady clocks. */
export const SLOT_COOLDOWN_MS = 1_001;

/** A request that a dead process sent at the end of its lease may arrive this much later. */
const ORPHAN_GRACE_MS = 2_000;

/**
 * How long to wait before a slot that was just taken may be used. The slot was free, so a full cooldown from now is always
 * enough. A shorter wait needs two clocks: the steady clock of the process that freed it, which stops while its machine
 * sleeps, and the database's clock, which may be changed. The later of the two counts.
 */
export function cooldownLeftMs(taken: TakenSlot, holder: SlotHolder, nowMs: number): number {
  // guard: slot-of-a-dead-process-waits
  if (taken.isOrphan) return SLOT_COOLDOWN_MS + ORPHAN_GRACE_MS;
  if (taken.isNew) return 0;
  const { freedBy, answeredMs, freedMs } = taken;
  if (freedBy === null || answeredMs === null || freedMs === null) return SLOT_COOLDOWN_MS;
  // guard: slot-rests
  if (holder.isOwn(freedBy)) return Math.min(answeredMs + SLOT_COOLDOWN_MS - nowMs, SLOT_COOLDOWN_MS);
  holder.peers.note(freedBy, freedMs, nowMs);
  const byPeerMs = holder.peers.latestMs(freedBy, answeredMs, nowMs) + SLOT_COOLDOWN_MS - nowMs;
  // guard: rests-by-the-steady-clock, rests-by-the-database
  return Math.min(Math.max(byPeerMs, taken.cooldownLeftMs), SLOT_COOLDOWN_MS);
}
