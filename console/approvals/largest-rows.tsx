import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DecisionFacts } from '../../api/approvals/decision-facts.ts';
import { SIDE_IN_WORDS } from '../../domain/runs/run-proposal.ts';
import { Money } from '../elements/values.tsx';
import { Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';

type Largest = DecisionFacts['largest'][number];

/** The ten largest of each currency: looking at them is looking at most of the money. */
export function LargestRows({ runId, largest }: { runId: string; largest: readonly Largest[] }): ReactNode {
  return largest.map((group) => (
    <Section
      key={`${group.currency} ${group.side}`}
      title={`Largest ${group.rows.length} in ${group.currency}, ${SIDE_IN_WORDS[group.side]}`}
      aside={
        <span className="muted">
          <Money amount={group.amount} /> of <Money amount={group.total} currency={group.currency} />,{' '}
          {group.sharePercent} %
        </span>
      }
    >
      <Table
        label={`Largest rows in ${group.currency}, ${SIDE_IN_WORDS[group.side]}`}
        rows={group.rows}
        columns={columnsOf(runId, group.currency)}
        keyOf={({ line }) => String(line)}
        hrefOf={({ line }) => `/runs/${runId}/rows?row=${line}`}
      />
    </Section>
  ));
}

function columnsOf(runId: string, currency: string): readonly Column<Largest['rows'][number]>[] {
  return [
    {
      name: 'Beneficiary',
      cell: ({ beneficiary, line }) => (
        <Link to={`/runs/${runId}/rows?row=${line}`} className="main">
          {beneficiary ?? 'not shown'}
        </Link>
      ),
    },
    { name: 'Reference', cell: ({ rowRef }) => rowRef },
    { name: 'Line', align: 'right', isWideOnly: true, cell: ({ line }) => line },
    { name: 'Amount', align: 'right', cell: ({ amount }) => <Money amount={amount} currency={currency} /> },
  ];
}
