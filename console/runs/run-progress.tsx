import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PaymentState } from '../../api/runs/row.ts';
import type { RunSummary } from '../../api/runs/run.ts';
import { Bar } from '../elements/bar.tsx';
import { Figure } from '../elements/figures.tsx';
import { formatCount, formatDuration } from '../elements/formats.ts';
import { useNow } from '../elements/use-now.ts';
import { partsOf, ROW_WORDS, RowStateMark } from './run-states.tsx';

/** Where the rows are, exactly, and when the last one will have been sent. */
export function RunProgress({ run }: { run: RunSummary }): ReactNode {
  const isMoving = run.state === 'running';
  return (
    <div className="card stack">
      <Bar label={`Rows of ${run.fileName}`} parts={partsOf(run.rows)} />
      <div className="cards">
        <Figure label="Rows">{formatCount(run.rowCount)}</Figure>
        <Figure label="Paid">{formatCount(run.rows.paid ?? 0)}</Figure>
        {isMoving ? <Figure label="Payments a second">{run.ratePerSecond.toFixed(2)}</Figure> : null}
        {isMoving && run.secondsLeft !== null ? <Clock secondsLeft={run.secondsLeft} /> : null}
      </div>
      <ByState run={run} />
    </div>
  );
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

function Clock({ secondsLeft }: { secondsLeft: number }): ReactNode {
  const now = useNow(10_000);
  return (
    <Figure label="All sent at about">
      {clock.format(new Date(now + secondsLeft * 1000))}
      <span className="muted small" style={{ fontWeight: 400 }}>
        {' '}
        in {formatDuration(secondsLeft)}
      </span>
    </Figure>
  );
}

function ByState({ run }: { run: RunSummary }): ReactNode {
  const states = Object.entries(run.rows) as [PaymentState, number][];
  return (
    <ul className="legend" aria-label="Rows by state">
      {states
        .filter(([, count]) => count > 0)
        .map(([state, count]) => (
          <li key={state} title={ROW_WORDS[state].meaning}>
            <Link to="/runs/$runId/rows" params={{ runId: run.runId }} search={{ state }} className="row">
              <RowStateMark state={state} /> <span className="figures">{formatCount(count)}</span>
            </Link>
          </li>
        ))}
    </ul>
  );
}
