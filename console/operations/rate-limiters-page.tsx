import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { RateLimiter } from '../../api/rate-limiter/rate-limiter.ts';
import { api } from '../calls/api.ts';
import { Stat, When } from '../elements/values.tsx';
import { counted, formatCount, formatDuration } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Mark } from '../elements/mark.tsx';
import { Blank, Facts, Notice, Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { useRate } from '../elements/use-rate.ts';
import { OperationsFrame } from './operations-frame.tsx';

const READ_EVERY_MS = 5_000;

type Waiting = NonNullable<RateLimiter['waiting']>[number];

/** What is sent at each priority: as the requests of payments, onboarding and histories are ranked. */
const MEANINGS: Readonly<Record<number, string>> = {
  1: 'funding, confirming and looking up payments',
  2: 'creating payments, and reads that somebody waits for',
  3: 'quotes, beneficiaries, onboarding, conversions',
  4: 'onboarding reads without a webhook',
  5: 'the history of balances',
};

const WAITING: readonly Column<Waiting>[] = [
  { name: 'Priority', cell: ({ priority }) => <strong>{priority}</strong> },
  { name: 'What', cell: ({ priority }) => MEANINGS[priority] ?? '–' },
  { name: 'Waiting', align: 'right', cell: ({ count }) => formatCount(count) },
  { name: 'Oldest', align: 'right', cell: ({ oldestSeconds }) => formatDuration(oldestSeconds) },
];

/** The rate limiters, by account. */
export function RateLimitersPage(): ReactNode {
  const rateLimiters = useQuery({
    queryKey: ['rateLimiters'],
    queryFn: ({ signal }) => api.listRateLimiters({}, { signal }),
    refetchInterval: READ_EVERY_MS,
  });
  return (
    <OperationsFrame>
      <Loaded query={rateLimiters}>
        {({ rateLimiters: list, processes }) => (
          <>
            {list.map((rateLimiter) => (
              <RateLimiterSection
                key={rateLimiter.account}
                rateLimiter={rateLimiter}
                readAt={rateLimiters.dataUpdatedAt}
              />
            ))}
            {list.length === 0 ? (
              <Blank title="There is no account with the provider">
                <p>An administrator configures one; its rate limiter appears here.</p>
              </Blank>
            ) : (
              <p className="muted">{counted(processes, 'process', 'processes')} registered as holders of leases.</p>
            )}
          </>
        )}
      </Loaded>
    </OperationsFrame>
  );
}

function RateLimiterSection({ rateLimiter, readAt }: { rateLimiter: RateLimiter; readAt: number }): ReactNode {
  const rate = useRate(rateLimiter.requestsToday, readAt);
  const { account, limitPerSecond, leases, waiting } = rateLimiter;
  const inUse = leases.filter(({ holder }) => holder !== null).length;
  return (
    <Section title={`Account ${account}`} aside={<RateLimiterMark rateLimiter={rateLimiter} />}>
      <div className="row" style={{ gap: 32, marginBottom: 16 }}>
        <Stat label="Requests a second">
          {rate === null ? '–' : rate.toFixed(1)} <span className="muted">of {limitPerSecond || 'any number'}</span>
        </Stat>
        <Stat label="Leases in use">
          {inUse} <span className="muted">of {limitPerSecond || leases.length}</span>
        </Stat>
        <Stat label="Requests today, UTC">
          {formatCount(rateLimiter.requestsToday)}{' '}
          <span className="muted">of {formatCount(rateLimiter.limitPerDay)}</span>
        </Stat>
      </div>
      <Facts
        of={[
          ['Reserved for payments that have begun', `${formatCount(rateLimiter.reservedPerDay)} requests a day`],
          ['The limit is reset in', formatDuration(rateLimiter.dayEndsInSeconds)],
          [
            'Last refused by the provider',
            rateLimiter.pause === null ? (
              'never'
            ) : (
              <span key="pause">
                a pause of {formatDuration(rateLimiter.pause.forSeconds)} until{' '}
                <When at={rateLimiter.pause.until} isExact />
              </span>
            ),
          ],
          ['Holders of leases', holdersOf(rateLimiter) || 'none at this moment'],
        ]}
      />
      {waiting === null ? (
        <Notice tone="failed" title="How many requests wait is not known">
          Temporal does not answer. The rate limiter itself works without it.
        </Notice>
      ) : waiting.length === 0 ? (
        <p className="muted">No requests are waiting.</p>
      ) : (
        <Table
          label={`Waiting for the account ${account}`}
          rows={waiting}
          columns={WAITING}
          keyOf={({ priority }) => String(priority)}
        />
      )}
    </Section>
  );
}

function RateLimiterMark({
  rateLimiter: { pause, requestsToday, limitPerDay },
}: {
  rateLimiter: RateLimiter;
}): ReactNode {
  if (pause !== null && pause.secondsLeft > 0) {
    return <Mark tone="waiting">paused for another {formatDuration(pause.secondsLeft)}</Mark>;
  }
  if (limitPerDay > 0 && requestsToday >= limitPerDay) return <Mark tone="waiting">today’s limit is reached</Mark>;
  return <Mark tone="paid">open</Mark>;
}

/** `1a2b3c4d (leases 0, 2)`. */
function holdersOf({ leases }: RateLimiter): string {
  const held = new Map<string, number[]>();
  for (const { holder, number } of leases) if (holder !== null) held.set(holder, [...(held.get(holder) ?? []), number]);
  return [...held].map(([holder, of]) => `${holder.slice(0, 8)} (leases ${of.join(', ')})`).join(', ');
}
