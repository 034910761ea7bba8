import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CostGroup } from '../../api/treasury/costs.ts';
import { api } from '../calls/api.ts';
import { Chart } from '../elements/chart.tsx';
import { counted } from '../elements/formats.ts';
import { formatDay } from '../elements/times.ts';
import { Section } from '../elements/page.tsx';
import { Unread } from '../elements/unread.tsx';

const MOST_ORDERS = 200;

/** How much worse than the reference: by group, and of each conversion over time. */
export function CostCharts(props: {
  groups: readonly CostGroup[];
  from: string;
  to: string;
  account: string | undefined;
}): ReactNode {
  const { groups, from, to, account } = props;
  const orders = useQuery({
    queryKey: ['orders', 'of the costs', account],
    queryFn: ({ signal }) => api.listOrders({ account, limit: MOST_ORDERS }, { signal }),
  });
  const points = (orders.data?.orders ?? [])
    .flatMap(({ placedAt, costBps, sellCurrency, buyCurrency }) => {
      const day = placedAt.slice(0, 10);
      if (costBps === null || day < from || day > to) return [];
      const note = `${sellCurrency} to ${buyCurrency}`;
      return [{ at: Date.parse(placedAt), when: formatDay(day), value: costBps, note }];
    })
    .reverse();
  const known = groups.filter(({ costBps }) => costBps !== null);
  if (known.length === 0 && points.length === 0 && !orders.isError) return null;
  return (
    <Section title="Against the reference rates">
      <div className="stack">
        <Levels groups={known} />
        <Unread query={orders} what="The conversions of this time" />
        {points.length === 0 ? null : (
          <Chart label="Each conversion that was quoted" unit="basis points" as="dots" points={points} />
        )}
        {orders.data?.nextAfter === null || points.length === 0 ? null : (
          <span className="muted small">Of the newest {counted(MOST_ORDERS, 'conversion')}.</span>
        )}
      </div>
    </Section>
  );
}

function Levels({ groups }: { groups: readonly CostGroup[] }): ReactNode {
  // Only the length of a bar is a number; what is written is the text of the server.
  const most = Math.max(1, ...groups.map(({ costBps }) => Number(costBps)));
  if (groups.length === 0) return null;
  return (
    <div className="chart">
      <strong>Basis points, fees and rate together</strong>
      {groups.map(({ of, runId, fileName, currency, costBps }) => (
        <div key={`${of}${runId ?? ''}${currency}`} className="level">
          <span>
            {fileName ?? of}, {currency}
          </span>
          <span className="numbers">{costBps}</span>
          <div className="level-bar" aria-hidden="true">
            <div style={{ width: `${Math.max(0, (Number(costBps) / most) * 100)}%` }} />
          </div>
        </div>
      ))}
    </div>
  );
}
