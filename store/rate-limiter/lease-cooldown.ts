import type { LeaseHolder } from './lease-holder.ts';
import type { TakenLease } from './lease-table.ts';

/** A second, and a margin for the drift and resolution of two machines' steady clocks. */
export const LEASE_COOLDOWN_MS = 1_001;

/** A request that a dead process sent at the end of its registration may arrive this much later. */
const ORPHAN_GRACE_MS = 2_000;

/**
 * How long to wait before a lease that was just taken may be used. The lease was free, so a full cooldown from now is always
 * enough. A shorter wait needs two clocks: the steady clock of the process that freed it, which stops while its machine
 * sleeps, and the database's clock, which may be changed. The later of the two counts.
 */
export function cooldownLeftMs(taken: TakenLease, holder: LeaseHolder, nowMs: number): number {
  // guard: lease-of-a-dead-process-waits
  if (taken.isOrphan) return LEASE_COOLDOWN_MS + ORPHAN_GRACE_MS;
  if (taken.isNew) return 0;
  const { freedBy, answeredMs, freedMs } = taken;
  if (freedBy === null || answeredMs === null || freedMs === null) return LEASE_COOLDOWN_MS;
  // guard: lease-cooldown-over
  if (holder.isOwn(freedBy)) return Math.min(answeredMs + LEASE_COOLDOWN_MS - nowMs, LEASE_COOLDOWN_MS);
  holder.peers.note(freedBy, freedMs, nowMs);
  const byPeerMs = holder.peers.latestMs(freedBy, answeredMs, nowMs) + LEASE_COOLDOWN_MS - nowMs;
  // guard: rests-by-the-steady-clock, rests-by-the-database
  return Math.min(Math.max(byPeerMs, taken.cooldownLeftMs), LEASE_COOLDOWN_MS);
}
