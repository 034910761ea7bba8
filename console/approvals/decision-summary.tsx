import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DecisionFacts } from '../../api/approvals/decision-facts.ts';
import { SIDE_IN_WORDS } from '../../domain/runs/run-proposal.ts';
import { Stat, Money, When } from '../elements/values.tsx';
import { formatCount } from '../elements/formats.ts';
import { Facts, Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';

interface Compared extends Pick<DecisionFacts['totals'][number], 'currency' | 'side'> {
  now: DecisionFacts['totals'][number] | null;
  before: DecisionFacts['totals'][number] | null;
}

/** Who made it, from which file, how much, and how much it was the last time. */
export function DecisionSummary({ facts, account }: { facts: DecisionFacts; account: string }): ReactNode {
  const { maker, fileName, fileSha256, contentHash, lastComparable } = facts;
  return (
    <Section title="What you decide on">
      <div className="columns">
        <Facts
          of={[
            ['Paid from account', account],
            ['Made by', maker.name],
            ['File', fileName],
            ['Submitted', <When key="at" at={facts.submittedAt} />],
            ['Supporting files', formatCount(facts.files)],
            ['Content', <Hash key="hash" of={contentHash} />],
            ['File, SHA-256', <Hash key="file" of={fileSha256} />],
          ]}
        />
        <div className="stack">
          <div className="row" style={{ gap: 32 }}>
            <Stat label="Rows to be paid">{formatCount(facts.payable)}</Stat>
            <Stat label="Rows in the file">{formatCount(facts.rowCount)}</Stat>
          </div>
          <Totals facts={facts} />
          {lastComparable === null ? (
            <span className="muted small">No run like it was paid before, that it could be compared with.</span>
          ) : (
            <span className="muted small">
              Before: <Link to={`/runs/${lastComparable.runId}`}>{lastComparable.fileName}</Link>,{' '}
              {formatCount(lastComparable.payable)} rows, <When at={lastComparable.submittedAt} />
            </span>
          )}
        </div>
      </div>
    </Section>
  );
}

function Hash({ of }: { of: string | null }): ReactNode {
  return (
    <code className="mono" title={of ?? ''}>
      {of === null ? 'not there yet' : `${of.slice(0, 8)} ${of.slice(8, 16)} …`}
    </code>
  );
}

function Totals({ facts }: { facts: DecisionFacts }): ReactNode {
  const before = facts.lastComparable?.totals ?? [];
  const of = ({ currency, side }: Pick<Compared, 'currency' | 'side'>) => `${currency} ${side}`;
  const rows = [...new Map([...facts.totals, ...before].map((total) => [of(total), total])).entries()].map(
    ([key, { currency, side }]): Compared => ({
      ...{ currency, side },
      now: facts.totals.find((total) => of(total) === key) ?? null,
      before: before.find((total) => of(total) === key) ?? null,
    }),
  );
  const columns: readonly Column<Compared>[] = [
    {
      name: 'Currency',
      cell: ({ currency, side }) => (
        <>
          <strong>{currency}</strong> <span className="muted">{SIDE_IN_WORDS[side]}</span>
        </>
      ),
    },
    { name: 'Rows', align: 'right', cell: ({ now }) => (now === null ? '–' : formatCount(now.rows)) },
    { name: 'Total', align: 'right', cell: ({ now }) => <Money amount={now?.amount ?? null} /> },
    ...(facts.lastComparable === null
      ? []
      : ([
          {
            name: 'Rows before',
            align: 'right',
            cell: (row) => (row.before === null ? '–' : formatCount(row.before.rows)),
          },
          { name: 'Total before', align: 'right', cell: (row) => <Money amount={row.before?.amount ?? null} /> },
        ] satisfies Column<Compared>[])),
  ];
  return <Table label="Totals" rows={rows} columns={columns} keyOf={of} />;
}
