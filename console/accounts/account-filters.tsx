import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useBalances } from './use-balances.ts';
import { Unread } from '../elements/unread.tsx';
import { useAddress } from '../elements/use-address.ts';

/** Which account and currency: those that there are. */
export function AccountFilters(props: { hasCurrency?: boolean; children?: ReactNode }): ReactNode {
  const { hasCurrency = true, children } = props;
  const { search, change } = useAddress();
  const balances = useBalances();
  const data = balances.data ?? [];
  const currencies = new Set(data.flatMap(({ balances }) => balances.map(({ currency }) => currency)));
  return (
    <div className="filters no-print">
      <Select
        label="Account"
        placeholder="all"
        clearable
        w={180}
        data={data.map(({ account }) => account)}
        value={search.account ?? null}
        onChange={(account) => change({ account })}
      />
      {hasCurrency ? (
        <Select
          label="Currency"
          placeholder="all"
          clearable
          w={120}
          data={[...currencies].sort()}
          value={search.currency ?? null}
          onChange={(currency) => change({ currency })}
        />
      ) : null}
      {children}
      <Unread query={balances} what="Accounts and currencies" />
    </div>
  );
}
