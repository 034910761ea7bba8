import { Button, Select } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { OrderSummary } from '../../api/treasury/order.ts';
import { AccountFilters } from '../accounts/account-filters.tsx';
import { api } from '../calls/api.ts';
import { Money, When } from '../elements/values.tsx';
import { Blank, Failed, Skeleton } from '../elements/page.tsx';
import { type Column, compareAmounts, Table } from '../elements/table.tsx';
import { useAddress } from '../elements/use-address.ts';
import { FixedSide, ORDER_STATES, OrderStateMark } from './order-states.tsx';
import { TreasuryFrame } from './treasury-frame.tsx';

const COLUMNS: readonly Column<OrderSummary>[] = [
  {
    name: 'Conversion',
    cell: ({ orderId, sellCurrency, buyCurrency }) => (
      <Link to={`/treasury/conversions/${orderId}`} className="main">
        {sellCurrency} to {buyCurrency}
      </Link>
    ),
  },
  { name: 'State', cell: ({ state }) => <OrderStateMark state={state} /> },
  {
    name: 'Order',
    align: 'right',
    compare: (one, other) => compareAmounts(one.amount, other.amount),
    cell: (order) => <FixedSide order={order} />,
  },
  {
    name: 'Quoted',
    align: 'right',
    cell: ({ quote, fixedSide, buyCurrency, sellCurrency }) =>
      quote === null ? (
        <span className="muted">–</span>
      ) : (
        <Money
          amount={fixedSide === 'sell' ? quote.buyAmount : quote.totalAmount}
          currency={fixedSide === 'sell' ? buyCurrency : sellCurrency}
        />
      ),
  },
  {
    name: 'Cost, bps',
    align: 'right',
    isWideOnly: true,
    compare: (one, other) => compareAmounts(one.costBps, other.costBps),
    cell: ({ costBps }) => costBps ?? '–',
  },
  { name: 'By', isWideOnly: true, cell: ({ placedBy }) => placedBy.name },
  { name: 'Placed', align: 'right', isWideOnly: true, cell: ({ placedAt }) => <When at={placedAt} /> },
];

/** Orders to convert, the newest first. */
export function OrderListPage(): ReactNode {
  const { search, change } = useAddress();
  const { state = null, account = null } = search;
  const orders = useInfiniteQuery({
    queryKey: ['orders', state, account],
    queryFn: ({ pageParam, signal }) =>
      api.listOrders({ state: state as OrderSummary['state'], account, after: pageParam, limit: 50 }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextAfter }) => nextAfter,
    refetchInterval: 10_000,
  });
  const shown = orders.data?.pages.flatMap((page) => page.orders) ?? [];
  return (
    <TreasuryFrame>
      <AccountFilters hasCurrency={false}>
        <Select
          label="State"
          placeholder="all"
          clearable
          w={220}
          data={ORDER_STATES}
          value={state}
          onChange={(value) => change({ state: value })}
        />
      </AccountFilters>
      {orders.isPending ? <Skeleton lines={8} /> : null}
      {orders.isError ? <Failed error={orders.error} onRetry={() => void orders.refetch()} /> : null}
      {orders.data !== undefined && shown.length === 0 ? (
        <Blank title={state === null && account === null ? 'There are no conversions yet' : 'No such conversion'}>
          <p>A conversion sells money of one balance for another currency, at a price that you limit.</p>
        </Blank>
      ) : null}
      {shown.length === 0 ? null : (
        <Table
          label="Conversions"
          rows={shown}
          columns={COLUMNS}
          keyOf={({ orderId }) => orderId}
          hrefOf={({ orderId }) => `/treasury/conversions/${orderId}`}
        />
      )}
      {orders.hasNextPage ? (
        <div>
          <Button variant="default" loading={orders.isFetchingNextPage} onClick={() => void orders.fetchNextPage()}>
            Earlier conversions
          </Button>
        </div>
      ) : null}
    </TreasuryFrame>
  );
}
