import type { RowSummary } from '../../sdk/index.ts';
import { moment, money } from '../wording.ts';

/** What came back of a row, and when; null: nothing. */
export function cameBack({ returnedAmount, returnedAt, sellCurrency }: RowSummary): string | null {
  if (returnedAmount === null) return null;
  const when = returnedAt === null ? '' : ` on ${moment(returnedAt)}`;
  return `${sellCurrency ?? ''} ${money(returnedAmount)} came back${when}`;
}
