import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RunDetail } from '../../api/runs/run.ts';
import { PAYMENT_STATE_TABLE, type PaymentState } from '../../domain/payments/payment-state.ts';
import { formatCount, inWords } from '../elements/formats.ts';
import { SearchField } from '../elements/search-field.tsx';
import { useAddress } from '../elements/use-address.ts';

const SORTS = [
  { value: 'line', label: 'line of the file' },
  { value: 'state', label: 'state' },
  { value: 'amount:desc', label: 'largest amount' },
  { value: 'amount:asc', label: 'smallest amount' },
];

/** Which rows are shown, and in which order: all of it is in the address. */
export function RowFilters({ run }: { run: RunDetail }): ReactNode {
  const { search, change } = useAddress();
  const currencies = currenciesOf(run);
  const sort = search.sort === 'amount' ? `amount:${search.order ?? 'asc'}` : (search.sort ?? 'line');
  const sortBy = (value: string | null): void => {
    const [column = 'line', order = null] = (value ?? 'line').split(':');
    // Amounts of several currencies have no order.
    const currency = column === 'amount' ? (search.currency ?? currencies[0] ?? null) : (search.currency ?? null);
    change({ sort: column === 'line' ? null : column, order, currency, at: null });
  };
  return (
    <div className="filters no-print">
      <SearchField
        label="Search"
        placeholder="Reference, line, name or amount"
        initial={search.q ?? ''}
        onSearch={(q) => change({ q, at: null })}
      />
      <Select
        label="State"
        placeholder="all"
        clearable
        w={210}
        data={statesOf(run)}
        value={search.state ?? null}
        onChange={(state) => change({ state, at: null })}
      />
      <Select
        label="Currency"
        placeholder="all"
        clearable
        w={110}
        data={currencies}
        value={search.currency ?? null}
        onChange={(currency) =>
          change({
            currency,
            at: null,
            ...(currency === null && search.sort === 'amount' ? { sort: null, order: null } : {}),
          })
        }
      />
      {search.finding === undefined ? null : (
        <Select
          label="One finding"
          clearable
          w={240}
          data={[{ value: search.finding, label: findingInWords(search.finding) }]}
          value={search.finding}
          onChange={(finding) => change({ finding, at: null })}
        />
      )}
      {search.mark === undefined ? null : (
        <Select
          label="Stands out"
          clearable
          w={180}
          data={[{ value: search.mark, label: inWords(search.mark) }]}
          value={search.mark}
          onChange={(mark) => change({ mark, at: null })}
        />
      )}
      <Select label="Sorted by" w={170} allowDeselect={false} data={SORTS} value={sort} onChange={sortBy} />
    </div>
  );
}

/** `account_changed:12`: its kind, and the line of its first row. */
function findingInWords(finding: string): string {
  const [kind = '', line = ''] = finding.split(':');
  return `${inWords(kind)}, line ${line}`;
}

function statesOf(run: RunDetail): { value: string; label: string }[] {
  return (Object.entries(run.rows) as [PaymentState, number][])
    .filter(([, count]) => count > 0)
    .map(([value, count]) => ({ value, label: `${PAYMENT_STATE_TABLE[value].word} (${formatCount(count)})` }));
}

function currenciesOf(run: RunDetail): string[] {
  return [...new Set(run.totals.map(({ currency }) => currency))];
}
