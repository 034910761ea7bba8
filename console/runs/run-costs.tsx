import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { RunDetail } from '../../api/runs/run.ts';
import type { CostGroup } from '../../api/treasury/costs.ts';
import { api } from '../calls/api.ts';
import { Money } from '../elements/values.tsx';
import { counted, formatCount } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';

const COLUMNS: readonly Column<CostGroup>[] = [
  { name: 'Currency', cell: ({ currency }) => <strong>{currency}</strong> },
  { name: 'Payments', align: 'right', cell: ({ count }) => formatCount(count) },
  { name: 'Left the balance', align: 'right', cell: ({ total }) => <Money amount={total} /> },
  { name: 'Fees in it', align: 'right', cell: ({ fees }) => <Money amount={fees} /> },
  {
    name: 'Cost of the rate',
    align: 'right',
    isWideOnly: true,
    cell: ({ exchangeCost, count, withoutReference }) =>
      withoutReference === count ? <span className="muted">not known</span> : <Money amount={exchangeCost} />,
  },
  { name: 'Basis points', align: 'right', isWideOnly: true, cell: ({ costBps }) => costBps ?? '–' },
];

/** What a run that has ended has spent. */
export function RunCosts({ run }: { run: RunDetail }): ReactNode {
  const costs = useQuery({
    queryKey: ['run', run.runId, 'costs', run.rows],
    queryFn: async ({ signal }) => (await api.readRunCosts({ runId: run.runId }, { signal })).costs,
  });
  if (costs.data === null) return null;
  return (
    <Section
      title="What was spent"
      aside={<span className="muted small">Payments that were funded and not returned</span>}
    >
      <Loaded query={costs} lines={3}>
        {(found) => (
          <div className="stack">
            <Table
              label="What was spent"
              rows={found?.groups ?? []}
              columns={COLUMNS}
              keyOf={({ currency }) => currency}
            />
            <WithoutReference groups={found?.groups ?? []} />
          </div>
        )}
      </Loaded>
    </Section>
  );
}

function WithoutReference({ groups }: { groups: readonly CostGroup[] }): ReactNode {
  const count = groups.reduce((sum, { withoutReference }) => sum + withoutReference, 0);
  if (count === 0) return null;
  return (
    <span className="muted small">
      {counted(count, 'payment')} without a reference rate of the day: the cost of their rate is in none of the amounts.
    </span>
  );
}
