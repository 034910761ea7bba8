import { Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatAmount } from './formats.ts';
import { formatDay, formatInstant, formatUtc } from './times.ts';
import { useNow } from './use-now.ts';

/** An amount with all its decimals and its currency. */
export function Money({ amount, currency }: { amount: string | null; currency?: string | null }): ReactNode {
  if (amount === null) return <span className="muted">–</span>;
  return (
    <span className="amount">
      {formatAmount(amount)}
      {currency ? <span className="currency">{currency}</span> : null}
    </span>
  );
}

/** A local time, with UTC when pointed at. */
export function When({ at, isExact = false }: { at: string | null; isExact?: boolean }): ReactNode {
  const now = useNow(60_000);
  if (at === null) return <span className="muted">–</span>;
  return (
    <Tooltip label={formatUtc(at)} openDelay={300}>
      <time dateTime={at} className="numbers" style={{ whiteSpace: 'nowrap' }}>
        {formatInstant(at, now, isExact)}
      </time>
    </Tooltip>
  );
}

export function CalendarDay({ day }: { day: string | null }): ReactNode {
  if (day === null) return <span className="muted">–</span>;
  return (
    <time dateTime={day} style={{ whiteSpace: 'nowrap' }}>
      {formatDay(day)}
    </time>
  );
}

export function Stat({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <div className="stat">
      <span className="label">{label}</span>
      <span className="value">{children}</span>
    </div>
  );
}
