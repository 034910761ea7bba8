import { dayOf } from '../calendar-date.ts';
import { dateOf, type Movement } from './movement.ts';
import { orderByPosting } from './posting-order.ts';

/**
 * The entries of one currency that are of a day: those that changed the balance before the first one that is dated later. What
 * was posted on a later day than it is dated is of that day. `movements` has what is known of the next hours as well, which
 * tells where the day ends; it is in no order.
 */
export function entriesOfDay<Entry extends Movement>(
  movements: readonly Entry[],
  day: string,
  opening: string | null,
): Entry[] {
  const isLater = (entry: Entry): boolean => {
    const dateMs = dateOf(entry);
    return dateMs !== null && dayOf(dateMs) > day;
  };
  if (!movements.some(isLater)) return [...movements];
  const { entries, strays, copies, repeated, conflicting } = orderByPosting(movements, { opening });
  const end = entries.findIndex(isLater);
  const unplaced = [...strays, ...copies, ...repeated, ...conflicting.map(({ other }) => other)];
  return [...(end === -1 ? entries : entries.slice(0, end)), ...unplaced.filter((entry) => !isLater(entry))];
}
