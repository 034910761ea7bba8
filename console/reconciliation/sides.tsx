import type { ReactNode } from 'react';
import type { BreakSummary } from '../../api/reconciliation/break.ts';
import { Stat } from '../elements/values.tsx';
import { formatCount } from '../elements/formats.ts';
import { countSides } from './day-amounts.ts';

/** How much of both sides fits together, and what only one of them has: also of a day that was signed. */
export function Sides(props: { matched: number; breaks: readonly BreakSummary[] | undefined }): ReactNode {
  const { matched, breaks } = props;
  const counts = breaks === undefined ? null : countSides(breaks);
  const shown = (count: number | undefined): string => (count === undefined ? '…' : formatCount(count));
  return (
    <div className="row" style={{ gap: 32 }}>
      <Stat label="Movements found on both sides">{formatCount(matched)}</Stat>
      <Stat label="Theirs alone">{shown(counts?.theirs)}</Stat>
      <Stat label="Ours alone">{shown(counts?.ours)}</Stat>
      <Stat label="On both sides, and different">{shown(counts?.both)}</Stat>
    </div>
  );
}
