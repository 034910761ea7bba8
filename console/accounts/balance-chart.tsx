import type { ReactNode } from 'react';
import type { HistoryEntry } from '../../api/accounts/balance.ts';
import { Chart } from '../elements/chart.tsx';
import { inWords } from '../elements/formats.ts';
import { formatMoment } from '../elements/times.ts';

/** The balance after each entry that was loaded, of one account and currency; of several there is no line. */
export function BalanceChart({ entries }: { entries: readonly HistoryEntry[] }): ReactNode {
  const counting = entries.filter(({ disregarded, position }) => disregarded === null && position !== null);
  const [first] = counting;
  if (first === undefined || counting.length < 2) return null;
  const isOne = counting.every(({ account, currency }) => account === first.account && currency === first.currency);
  if (!isOne)
    return <span className="muted small">Choose an account and a currency to see the balance as a line.</span>;
  const points = [...counting]
    .sort((one, other) => (one.position ?? 0) - (other.position ?? 0))
    .map(({ at, after, type }) => ({
      at: Date.parse(at),
      when: formatMoment(Date.parse(at)),
      value: after,
      note: type === '' ? undefined : inWords(type),
    }));
  return (
    <Chart label={`Balance, ${first.account}`} unit={first.currency} as="steps" markWord="below zero" points={points} />
  );
}
