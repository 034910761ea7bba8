import type { ReactNode } from 'react';
import type { RunProposal } from '../../api/runs/run.ts';
import { costBoundInWords } from '../../domain/approvals/cost-bound.ts';
import { Stat, Money } from '../elements/values.tsx';
import { counted, formatAmount, formatCount, formatDuration } from '../elements/formats.ts';
import { Mark } from '../elements/mark.tsx';
import { Facts, Notice, Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { isCovered, isShort, shortfallOf } from './shortfall.ts';

type Funds = RunProposal['funds'][number];

/** In the order of the currencies, those first that are short. */
function shortFirst(funds: readonly Funds[]): Funds[] {
  return [...funds].sort((one, other) => Number(isShort(other)) - Number(isShort(one)));
}

const FUNDS: readonly Column<Funds>[] = [
  { name: 'Currency', cell: ({ currency }) => <strong>{currency}</strong> },
  {
    name: 'Needed, without fees',
    align: 'right',
    cell: (funds) => <Needed {...funds} />,
  },
  {
    name: 'Balance',
    align: 'right',
    cell: ({ balance }) => (balance === null ? <span className="muted">not known</span> : <Money amount={balance} />),
  },
  { name: 'Committed to other runs', align: 'right', cell: ({ committed }) => <Money amount={committed} /> },
  { name: 'Short', align: 'right', cell: (funds) => <Short {...funds} /> },
];

const TOTALS: readonly Column<RunProposal['totalsByBuyCurrency'][number]>[] = [
  { name: 'Currency', cell: ({ currency }) => <strong>{currency}</strong> },
  { name: 'Rows', align: 'right', cell: ({ rows }) => formatCount(rows) },
  { name: 'Amount', align: 'right', cell: ({ amount }) => <Money amount={amount} /> },
];

/** Rows that fix what is received in another currency: what they cost is not in the amount before they are quoted. */
function Needed({ needed, unquotedRows }: Funds): ReactNode {
  if (!/[1-9]/.test(needed)) return <span className="muted">when quoted</span>;
  return (
    <>
      <Money amount={needed} />
      {unquotedRows === 0 ? null : <div className="muted small">and {counted(unquotedRows, 'row')} when quoted</div>}
    </>
  );
}

function Short(funds: Funds): ReactNode {
  const missing = shortfallOf(funds);
  if (missing === null) return <span className="muted">not known</span>;
  if (isCovered(funds)) return '–';
  if (!isShort(funds)) return <span className="muted">known when quoted</span>;
  return (
    <Mark tone="failed">
      <Money amount={missing} />
    </Mark>
  );
}

/** What the run would do, before anybody approves it. */
export function Proposal({ proposal }: { proposal: RunProposal }): ReactNode {
  const { totalsByBuyCurrency, totalsBySellCurrency, funds, costBound, warnings, contentHash } = proposal;
  return (
    <Section title="What it does">
      <div className="stack">
        {warnings.map((warning) => (
          <Notice key={warning} tone="waiting">
            {warning}
          </Notice>
        ))}
        <div className="cards">
          <Stat label="To be paid">{formatCount(proposal.payable)}</Stat>
          <Stat label="On hold">{formatCount(proposal.onHold)}</Stat>
          <Stat label="Requests to the provider">{formatCount(proposal.requests)}</Stat>
          <Stat label="Time to send them">{formatDuration(proposal.durationSeconds)}</Stat>
        </div>
        <div className="columns">
          {totalsByBuyCurrency.length === 0 ? null : <Totals title="Beneficiaries get" totals={totalsByBuyCurrency} />}
          {totalsBySellCurrency.length === 0 ? null : (
            <Totals title="Fixed to be spent" totals={totalsBySellCurrency} />
          )}
        </div>
        <strong>Balances that it is paid from</strong>
        <Table
          label="Balances that it is paid from"
          rows={shortFirst(funds)}
          columns={FUNDS}
          keyOf={({ currency }) => currency}
        />
        <strong>What it may cost</strong>
        <ul>
          {costBoundInWords(costBound, formatAmount).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <Facts
          of={[
            [
              'Content',
              <code key="hash" className="mono">
                {contentHash}
              </code>,
            ],
          ]}
        />
      </div>
    </Section>
  );
}

function Totals({ title, totals }: { title: string; totals: RunProposal['totalsByBuyCurrency'] }): ReactNode {
  return (
    <div className="stack" style={{ gap: 6 }}>
      <h3 style={{ margin: 0, fontSize: 14 }}>{title}</h3>
      <Table label={title} rows={totals} columns={TOTALS} keyOf={({ currency }) => currency} />
    </div>
  );
}
