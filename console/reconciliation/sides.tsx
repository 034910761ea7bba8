import type { ReactNode } from 'react';
import type { BreakSummary } from '../../api/reconciliation/break.ts';
import { Figure } from '../elements/figures.tsx';
import { formatCount } from '../elements/formats.ts';
import { countSides } from './day-figures.ts';

/** How much of both sides fits together, and what only one of them has: also of a day that was signed. */
export function Sides(props: { matched: number; breaks: readonly BreakSummary[] | undefined }): ReactNode {
  const { matched, breaks } = props;
  const counts = breaks === undefined ? null : countSides(breaks);
  const shown = (count: number | undefined): string => (count === undefined ? '…' : formatCount(count));
  return (
    <div className="row" style={{ gap: 32 }}>
      <Figure label="Movements found on both sides">{formatCount(matched)}</Figure>
      <Figure label="Theirs alone">{shown(counts?.theirs)}</Figure>
      <Figure label="Ours alone">{shown(counts?.ours)}</Figure>
      <Figure label="On both sides, and different">{shown(counts?.both)}</Figure>
    </div>
  );
}
