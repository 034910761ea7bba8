import type { BreakSummary } from '../../api/reconciliation/break.ts';
import { shortId } from '../elements/formats.ts';

/** What a difference is about. `href`: a page of the console that shows it; null: the provider alone has it. */
export interface Place {
  name: string;
  href: string | null;
}

/** The rows, conversions and receipts that a difference names, then the entries of the history. */
export function placesOf(of: BreakSummary): Place[] {
  return [...of.factIds.map((factId) => placeOfFact(factId, of)), ...entriesOf(of)];
}

function placeOfFact(factId: string, { rows, account, currency }: BreakSummary): Place {
  const row = rows.find((each) => each.factId === factId);
  const [kind = '', ...rest] = factId.split('/');
  const id = rest.join('/');
  if (row !== undefined) {
    const what = kind === 'refund' ? 'Refund of the row' : 'Row';
    return { name: `${what} in line ${row.line}`, href: `/runs/${row.runId}/rows?row=${row.line}` };
  }
  const within = new URLSearchParams({ account, currency }).toString();
  switch (kind) {
    case 'conversion':
      return { name: `Conversion ${shortId(id)}`, href: `/treasury/conversions/${encodeURIComponent(id)}` };
    case 'refund':
      return { name: `Refund ${id}`, href: `/accounts/refunds?${within}` };
    case 'deposit':
      return { name: `Deposit ${id}`, href: `/accounts/deposits?${new URLSearchParams({ account }).toString()}` };
    case 'funding':
      return { name: `Funding ${id}`, href: `/accounts/fundings?${within}` };
    case 'listed':
      return { name: `${id.replace('/', ' ')}, in the provider's list`, href: null };
    default:
      return { name: factId, href: null };
  }
}

/** An entry may be dated earlier than the day on which it became a difference: the history ends with that day. */
function entriesOf({ entryIds, account, currency, day }: BreakSummary): Place[] {
  const query = new URLSearchParams({ account, currency, to: day });
  return entryIds.map((entryId) => ({ name: `Entry ${entryId}`, href: `/accounts/history?${query.toString()}` }));
}
