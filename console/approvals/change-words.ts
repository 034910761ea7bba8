import { effectOfChange } from '../../api/approvals/change-effects.ts';
import type { ChangeSummary } from '../../api/approvals/change.ts';
import { capitalized } from '../../domain/capitalized.ts';

/** Names are left as they are; a text of ours begins with a capital. */
export function effectInWords(change: ChangeSummary): string {
  const effect = effectOfChange(change);
  return change.user === null ? capitalized(effect) : effect;
}

/** Those that take effect by themselves, the next one first; then those that wait for an administrator, the oldest first. */
export function soonestFirst<Change extends Pick<ChangeSummary, 'takesEffectAt' | 'proposedAt'>>(
  changes: readonly Change[],
): Change[] {
  const timeOf = ({ takesEffectAt }: Change): number =>
    takesEffectAt === null ? Number.POSITIVE_INFINITY : Date.parse(takesEffectAt);
  return changes.toSorted((one, other) => {
    const [at, otherAt] = [timeOf(one), timeOf(other)];
    return at === otherAt ? Date.parse(one.proposedAt) - Date.parse(other.proposedAt) : at - otherAt;
  });
}
