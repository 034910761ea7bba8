import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CostGroup } from '../../api/treasury/costs.ts';
import { AccountFilters } from '../accounts/account-filters.tsx';
import { api } from '../calls/api.ts';
import { Money } from '../elements/values.tsx';
import { formatCount } from '../elements/formats.ts';
import { dayAt } from '../elements/times.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Blank } from '../elements/page.tsx';
import { type Column, compareAmounts, compareText, Table } from '../elements/table.tsx';
import { useAddress } from '../elements/use-address.ts';
import { CostCharts } from './cost-charts.tsx';
import { TreasuryFrame } from './treasury-frame.tsx';

const COLUMNS: readonly Column<CostGroup>[] = [
  {
    name: 'Of',
    compare: (one, other) => compareText(one.fileName ?? one.of, other.fileName ?? other.of),
    cell: ({ of, runId, fileName }) =>
      runId === null ? (
        <strong>{of}</strong>
      ) : (
        <Link to={`/runs/${runId}`} className="main">
          {fileName}
        </Link>
      ),
  },
  {
    name: 'How many',
    align: 'right',
    compare: (one, other) => one.count - other.count,
    cell: ({ count }) => formatCount(count),
  },
  {
    name: 'Left the balance',
    align: 'right',
    compare: (one, other) => compareAmounts(one.total, other.total),
    cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
  },
  {
    name: 'Fees',
    align: 'right',
    compare: (one, other) => compareAmounts(one.fees, other.fees),
    cell: ({ fees, currency }) => <Money amount={fees} currency={currency} />,
  },
  {
    name: 'Cost of the rate',
    align: 'right',
    compare: (one, other) => compareAmounts(one.exchangeCost, other.exchangeCost),
    cell: (group) => <CostOfRate {...group} />,
  },
  {
    name: 'Basis points',
    align: 'right',
    compare: (one, other) => compareAmounts(one.costBps, other.costBps),
    cell: ({ costBps }) => costBps ?? '–',
  },
];

/** Of those with a reference rate; how many there are without one is said where it is not all of them. */
function CostOfRate({ exchangeCost, currency, count, withoutReference }: CostGroup): ReactNode {
  if (withoutReference === count) return <span className="muted">not known</span>;
  return (
    <>
      <Money amount={exchangeCost} currency={currency} />
      {withoutReference === 0 ? null : (
        <div className="muted small">without {formatCount(withoutReference)} that have no reference rate</div>
      )}
    </>
  );
}

/** What payments and conversions have cost, against the reference rates of their days. */
export function CostsPage(): ReactNode {
  const { search, change } = useAddress();
  const today = dayAt(Date.now());
  const { from = `${today.slice(0, 8)}01`, to = today, by = 'currency', account } = search;
  const costs = useQuery({
    queryKey: ['costs', from, to, by, account],
    queryFn: ({ signal }) => api.readCosts({ from, to, by: by as 'currency' | 'run', account }, { signal }),
  });
  return (
    <TreasuryFrame>
      <AccountFilters hasCurrency={false}>
        <TextInput
          type="date"
          label="From (UTC)"
          value={from}
          max={to}
          onChange={(event) => change({ from: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label="To (UTC)"
          value={to}
          min={from}
          onChange={(event) => change({ to: event.currentTarget.value })}
        />
        <Select
          label="By"
          w={140}
          allowDeselect={false}
          data={['currency', 'run']}
          value={by}
          onChange={(value) => change({ by: value === 'currency' ? null : value })}
        />
      </AccountFilters>
      <Loaded query={costs}>
        {({ groups }) =>
          groups.length === 0 ? (
            <Blank title="Nothing was funded in this time">
              <p>Payments and conversions count on the day on which they were funded: choose another time.</p>
              <Link to="/runs">Look at the runs</Link>
            </Blank>
          ) : (
            <>
              <Table
                label="Costs"
                rows={groups}
                columns={COLUMNS}
                keyOf={({ of, runId, currency }) => `${of}${runId ?? ''}${currency}`}
              />
              <CostCharts groups={groups} from={from} to={to} account={account} />
            </>
          )
        }
      </Loaded>
    </TreasuryFrame>
  );
}
