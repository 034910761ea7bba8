import type { ReactNode } from 'react';
import type { OrderDetail } from '../../api/treasury/order.ts';
import { Money } from '../elements/values.tsx';
import { Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { type ComparedAmount, comparedAmounts, isOtherThanQuoted } from './order-amounts.ts';

const COLUMNS: readonly Column<ComparedAmount>[] = [
  { name: 'Amount', cell: ({ name }) => name },
  { name: 'Quoted', align: 'right', cell: ({ quoted, currency }) => <Money amount={quoted} currency={currency} /> },
  {
    name: 'The provider shows',
    align: 'right',
    cell: ({ shown, currency }) =>
      shown === null ? (
        <span className="muted">nothing</span>
      ) : (
        <strong>
          <Money amount={shown} currency={currency} />
        </strong>
      ),
  },
  { name: 'Difference', align: 'right', cell: (amount) => <Difference of={amount} /> },
];

function Difference({ of }: { of: ComparedAmount }): ReactNode {
  const { shown, difference, currency } = of;
  if (shown === null) return <span className="muted">not known</span>;
  if (!isOtherThanQuoted(of)) return <span className="muted">none</span>;
  if (difference === null) return <strong>not the same</strong>;
  return (
    <strong>
      {difference.startsWith('-') ? '' : '+'}
      <Money amount={difference} currency={currency} />
    </strong>
  );
}

/** What the provider shows of a conversion, beside what it has quoted. */
export function ProviderAmounts({ order }: { order: OrderDetail }): ReactNode {
  const amounts = comparedAmounts(order);
  if (amounts.length === 0) return null;
  return (
    <Table label="Quoted, and as the provider shows it" rows={amounts} columns={COLUMNS} keyOf={({ name }) => name} />
  );
}

/** Only where the provider shows other amounts than it has quoted. */
export function OtherAmounts({ order }: { order: OrderDetail }): ReactNode {
  if (!comparedAmounts(order).some(isOtherThanQuoted)) return null;
  return (
    <Section title="The provider shows other amounts than it has quoted">
      <ProviderAmounts order={order} />
    </Section>
  );
}
