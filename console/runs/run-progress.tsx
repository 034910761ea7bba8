import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Gate } from '../../api/gate/gate.ts';
import type { RunSummary } from '../../api/runs/run.ts';
import { PAYMENT_STATE_TABLE, type PaymentState } from '../../domain/payments/payment-state.ts';
import { withoutMarkdown } from '../../domain/state-table.ts';
import { api } from '../calls/api.ts';
import { Bar } from '../elements/bar.tsx';
import { Figure, Money } from '../elements/figures.tsx';
import { formatCount, formatDuration } from '../elements/formats.ts';
import { useNow } from '../elements/use-now.ts';
import { useRate } from '../elements/use-rate.ts';
import { partsOf, RowStateMark } from './run-states.tsx';

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
        {isMoving ? <Requests account={run.account} /> : null}
        {isMoving && run.secondsLeft !== null ? <Clock secondsLeft={run.secondsLeft} /> : null}
        {run.reserved.map((reserved) => (
          <Reserved key={reserved.currency} of={reserved} />
        ))}
      </div>
      <ByState run={run} />
    </div>
  );
}

const READ_EVERY_MS = 5_000;

/** How far the limit of the account is used, by all that is sent from it. */
function Requests({ account }: { account: string }): ReactNode {
  const gates = useQuery({
    queryKey: ['gates'],
    queryFn: ({ signal }) => api.listGates({}, { signal }),
    refetchInterval: READ_EVERY_MS,
  });
  const gate = gates.data?.gates.find((each) => each.account === account);
  return gate === undefined ? null : <RequestFigures gate={gate} readAt={gates.dataUpdatedAt} />;
}

function RequestFigures({ gate, readAt }: { gate: Gate; readAt: number }): ReactNode {
  const { account, limitPerSecond, limitPerDay, requestsToday, pause } = gate;
  const rate = useRate(requestsToday, readAt);
  return (
    <>
      <Figure label={`Requests a second, account ${account}`}>
        {rate === null ? '–' : rate.toFixed(1)} <span className="muted">of {limitPerSecond || 'any number'}</span>
      </Figure>
      <Figure label="Requests today, UTC">
        {formatCount(requestsToday)} <span className="muted">of {formatCount(limitPerDay)}</span>
      </Figure>
      {pause !== null && pause.secondsLeft > 0 ? (
        <Figure label="Paused by the provider for">{formatDuration(pause.secondsLeft)}</Figure>
      ) : null}
    </>
  );
}

/** Of the balance, for the payments that are not funded yet. */
function Reserved({ of: { currency, amount, missing } }: { of: RunSummary['reserved'][number] }): ReactNode {
  return (
    <>
      <Figure label={`Reserved for it in ${currency}`}>
        <Money amount={amount} currency={currency} />
      </Figure>
      {missing === null ? null : (
        <Figure label={`Still lacking in ${currency}`}>
          <Money amount={missing} currency={currency} />
        </Figure>
      )}
    </>
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
          <li key={state} title={withoutMarkdown(PAYMENT_STATE_TABLE[state].meaning)}>
            <Link to="/runs/$runId/rows" params={{ runId: run.runId }} search={{ state }} className="row">
              <RowStateMark state={state} /> <span className="figures">{formatCount(count)}</span>
            </Link>
          </li>
        ))}
    </ul>
  );
}
