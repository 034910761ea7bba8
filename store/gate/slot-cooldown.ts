import type { SlotHolder } from './slot-holder.ts';
import type { TakenSlot } from './slot-table.ts';

/** A second, and as much more as the steady clocks of two machines may differ in a second, and tick in steps. */
export const SLOT_COOLDOWN_MS = 1_001;

/** What a process that died sent at the end of its lease may arrive so much later. */
const ORPHAN_GRACE_MS = 2_000;

/**
 * How long a slot that was just taken has to wait. That it was free is proof by itself: a full rest from now is always
 * enough. Less has to be shown twice: by the steady clock of the process that freed it, and by the database's clock.
 * The one may have stood still with its machine, the other may have been set; the later of the two counts.
 */
export function cooldownLeftMs(taken: TakenSlot, holder: SlotHolder, nowMs: number): number {
  if (taken.isOrphan) return SLOT_COOLDOWN_MS + ORPHAN_GRACE_MS;
  if (taken.isNew) return 0;
  const { freedBy, answeredMs, freedMs } = taken;
  if (freedBy === null || answeredMs === null || freedMs === null) return SLOT_COOLDOWN_MS;
  if (holder.isOwn(freedBy)) return Math.min(answeredMs + SLOT_COOLDOWN_MS - nowMs, SLOT_COOLDOWN_MS);
  holder.peers.note(freedBy, freedMs, nowMs);
  const byPeerMs = holder.peers.latestMs(freedBy, answeredMs, nowMs) + SLOT_COOLDOWN_MS - nowMs;
  return Math.min(Math.max(byPeerMs, taken.cooldownLeftMs), SLOT_COOLDOWN_MS);
}
