import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RateLimiter } from '../../api/rate-limiter/rate-limiter.ts';
import type { RunSummary } from '../../api/runs/run.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import { rowTextsIn } from '../../domain/runs/run-sentences.ts';
import { withoutMarkdown } from '../../domain/state-table.ts';
import { api } from '../calls/api.ts';
import { Bar } from '../elements/bar.tsx';
import { CalendarDay, Stat, Money } from '../elements/values.tsx';
import { counted, formatCount, formatDuration } from '../elements/formats.ts';
import { formatInstant } from '../elements/times.ts';
import { useNow } from '../elements/use-now.ts';
import { useRate } from '../elements/use-rate.ts';
import { partsOf, RowStateMark } from './run-states.tsx';

/** Where the rows are, exactly, and when the last one will have been sent. */
export function RunProgress({ run }: { run: RunSummary }): ReactNode {
  const isMoving = run.state === 'running';
  return (
    <div className="card stack">
      <Bar label={`Rows of ${run.fileName}`} parts={partsOf(run)} />
      <div className="cards">
        <Stat label="Rows">{formatCount(run.rowCount)}</Stat>
        <Stat label="Paid">{formatCount(run.rows.paid ?? 0)}</Stat>
        {isMoving ? <Stat label="Payments a second">{run.ratePerSecond.toFixed(2)}</Stat> : null}
        {isMoving ? <Requests account={run.account} /> : null}
        {isMoving && run.secondsLeft !== null ? (
          <Clock secondsLeft={run.secondsLeft} isOfAll={run.dueLater === null} />
        ) : null}
        {run.dueLater === null ? null : (
          <Stat label="Due later">
            {counted(run.dueLater.rows, 'row')}
            <span className="muted small" style={{ fontWeight: 400 }}>
              {' '}
              the last on <CalendarDay day={run.dueLater.lastDate} />
            </span>
          </Stat>
        )}
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
  const rateLimiters = useQuery({
    queryKey: ['rateLimiters'],
    queryFn: ({ signal }) => api.listRateLimiters({}, { signal }),
    refetchInterval: READ_EVERY_MS,
  });
  const rateLimiter = rateLimiters.data?.rateLimiters.find((each) => each.account === account);
  return rateLimiter === undefined ? null : (
    <RequestStats rateLimiter={rateLimiter} readAt={rateLimiters.dataUpdatedAt} />
  );
}

function RequestStats({ rateLimiter, readAt }: { rateLimiter: RateLimiter; readAt: number }): ReactNode {
  const { account, limitPerSecond, limitPerDay, requestsToday, pause } = rateLimiter;
  const rate = useRate(requestsToday, readAt);
  return (
    <>
      <Stat label={`Requests a second, account ${account}`}>
        {rate === null ? '–' : rate.toFixed(1)} <span className="muted">of {limitPerSecond || 'any number'}</span>
      </Stat>
      <Stat label="Requests today, UTC">
        {formatCount(requestsToday)} <span className="muted">of {formatCount(limitPerDay)}</span>
      </Stat>
      {pause !== null && pause.secondsLeft > 0 ? (
        <Stat label="Paused by the provider for">{formatDuration(pause.secondsLeft)}</Stat>
      ) : null}
    </>
  );
}

/** Of the balance, for the payments that are not funded yet. */
function Reserved({ of: { currency, amount, missing } }: { of: RunSummary['reserved'][number] }): ReactNode {
  return (
    <>
      <Stat label={`Reserved for it in ${currency}`}>
        <Money amount={amount} currency={currency} />
      </Stat>
      {missing === null ? null : (
        <Stat label={`Still lacking in ${currency}`}>
          <Money amount={missing} currency={currency} />
        </Stat>
      )}
    </>
  );
}

function Clock({ secondsLeft, isOfAll }: { secondsLeft: number; isOfAll: boolean }): ReactNode {
  const now = useNow(10_000);
  return (
    <Stat label={isOfAll ? 'All sent at about' : 'What is due today sent at about'}>
      {formatInstant(new Date(now + secondsLeft * 1000).toISOString(), now)}
      <span className="muted small" style={{ fontWeight: 400 }}>
        {' '}
        in {formatDuration(secondsLeft)}
      </span>
    </Stat>
  );
}

function ByState({ run }: { run: RunSummary }): ReactNode {
  const states = Object.entries(run.rows) as [PaymentState, number][];
  return (
    <ul className="legend" aria-label="Rows by state">
      {states
        .filter(([, count]) => count > 0)
        .map(([state, count]) => (
          <li key={state} title={withoutMarkdown(rowTextsIn(run.state, state).meaning)}>
            <Link to="/runs/$runId/rows" params={{ runId: run.runId }} search={{ state }} className="row">
              <RowStateMark state={state} run={run.state} /> <span className="numbers">{formatCount(count)}</span>
            </Link>
          </li>
        ))}
    </ul>
  );
}
