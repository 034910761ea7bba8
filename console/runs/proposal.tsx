import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RunProposal } from '../../api/runs/run.ts';
import { costBoundInWords } from '../../domain/approvals/cost-bound.ts';
import { banksInWords, CUT_OFFS_IN_WORDS, timeInWords } from '../../domain/runs/run-proposal.ts';
import { Stat, Money, When } from '../elements/values.tsx';
import { counted, formatAmount, formatCount, formatDuration } from '../elements/formats.ts';
import { formatDay } from '../elements/times.ts';
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
    name: 'Needed, with fees',
    align: 'right',
    cell: (funds) => <Needed {...funds} />,
  },
  {
    name: 'Balance',
    align: 'right',
    cell: ({ balance }) => (balance === null ? <span className="muted">not known</span> : <Money amount={balance} />),
  },
  { name: 'Of it fees', align: 'right', cell: ({ fees }) => <Money amount={fees} /> },
  { name: 'Committed to other runs', align: 'right', cell: (funds) => <Committed {...funds} /> },
  { name: 'Short', align: 'right', cell: (funds) => <Short {...funds} /> },
];

const COSTS: readonly Column<RunProposal['costs'][number]>[] = [
  {
    name: 'Pair',
    cell: ({ sellCurrency, buyCurrency, channel }) => (
      <>
        <strong>
          {sellCurrency} to {buyCurrency}
        </strong>
        {channel === null ? null : <div className="muted small">{channel}</div>}
      </>
    ),
  },
  { name: 'Rows', align: 'right', cell: ({ rows }) => formatCount(rows) },
  { name: 'Sold', align: 'right', cell: ({ sells, sellCurrency }) => <Expected amount={sells} of={sellCurrency} /> },
  { name: 'Fees', align: 'right', cell: ({ fees, sellCurrency }) => <Expected amount={fees} of={sellCurrency} /> },
  { name: 'Received', align: 'right', cell: ({ buys, buyCurrency }) => <Expected amount={buys} of={buyCurrency} /> },
  { name: 'Rate', align: 'right', isWideOnly: true, cell: ({ rate }) => rate ?? '–' },
  { name: 'Quoted', isWideOnly: true, cell: ({ quotedAt }) => <When at={quotedAt} /> },
];

const DATES: readonly Column<RunProposal['due']['dates'][number]>[] = [
  {
    name: 'Day',
    cell: ({ date, weekday, isAtOnce }) => (
      <>
        <strong>
          {weekday}, {formatDay(date)}
        </strong>
        {isAtOnce ? <div className="muted small">as soon as it is approved</div> : null}
      </>
    ),
  },
  { name: 'Rows', align: 'right', cell: ({ rows }) => formatCount(rows) },
  { name: 'Banks', cell: (due) => <Banks {...due} /> },
];

const TOTALS: readonly Column<RunProposal['totals'][number]>[] = [
  { name: 'Currency', cell: ({ currency }) => <strong>{currency}</strong> },
  { name: 'Rows', align: 'right', cell: ({ rows }) => formatCount(rows) },
  { name: 'Amount', align: 'right', cell: ({ amount }) => <Money amount={amount} /> },
];

function Banks(due: RunProposal['due']['dates'][number]): ReactNode {
  const said = banksInWords(due);
  if (said === null) return <span className="muted">open</span>;
  return due.closed.length > 0 ? <Mark tone="waiting">{said}</Mark> : <span className="muted">{said}</span>;
}

function Expected({ amount, of }: { amount: string | null; of: string }): ReactNode {
  return amount === null ? <span className="muted">not known</span> : <Money amount={amount} currency={of} />;
}

/** What is due later than the run yields to it. */
function Committed({ committed, dueLater }: Funds): ReactNode {
  return (
    <>
      <Money amount={committed} />
      {/[1-9]/.test(dueLater) ? (
        <div className="muted small">
          of it due later <Money amount={dueLater} />
        </div>
      ) : null}
    </>
  );
}

/** What is missing of the cost of rows without a price is not in the amount before they are quoted. */
function Needed({ needed, unquotedRows }: Funds): ReactNode {
  if (!/[1-9]/.test(needed)) return <span className="muted">when quoted</span>;
  return (
    <>
      <Money amount={needed} />
      {unquotedRows === 0 ? null : (
        <div className="muted small">not all of {counted(unquotedRows, 'row')} without a price</div>
      )}
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
  const { totals, costBound, warnings, contentHash } = proposal;
  return (
    <Section
      title="What it does"
      aside={
        <Button variant="default" size="xs" onClick={() => window.print()}>
          Print
        </Button>
      }
    >
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
          <Stat label="Time to send them">
            {formatDuration(proposal.durationSeconds)}
            <div className="muted small" style={{ fontWeight: 400 }}>
              {timeInWords(proposal)}
            </div>
          </Stat>
        </div>
        <div className="columns">
          <Totals title="Beneficiaries get" totals={totals.filter(({ side }) => side === 'buy')} />
          <Totals title="Fixed to be spent" totals={totals.filter(({ side }) => side === 'sell')} />
        </div>
        <Dates due={proposal.due} />
        {proposal.payable === 0 ? null : <CostsAndFunds proposal={proposal} />}
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

function Dates({ due: { dates, laterDates, laterRows } }: { due: RunProposal['due'] }): ReactNode {
  if (dates.length === 0) return null;
  return (
    <>
      <strong>When rows are due</strong>
      <Table label="When rows are due" rows={dates} columns={DATES} keyOf={({ date }) => date} />
      <span className="muted small">
        {laterDates === 0 ? null : `And ${counted(laterDates, 'later date')} with ${counted(laterRows, 'row')}. `}
        {CUT_OFFS_IN_WORDS}
      </span>
    </>
  );
}

function CostsAndFunds({ proposal: { costs, funds, composedAt } }: { proposal: RunProposal }): ReactNode {
  return (
    <>
      <strong>What it is expected to cost</strong>
      <Table
        label="What it is expected to cost"
        rows={costs}
        columns={COSTS}
        keyOf={({ sellCurrency, buyCurrency, channel }) => `${sellCurrency} ${buyCurrency} ${channel ?? ''}`}
      />
      <span className="muted small">By indicative prices: each payment has a quote of its own.</span>
      <strong>Balances that it is paid from</strong>
      <Table
        label="Balances that it is paid from"
        rows={shortFirst(funds)}
        columns={FUNDS}
        keyOf={({ currency }) => currency}
      />
      <span className="muted small">
        Balances and other runs as of <When at={composedAt} />: what was approved since is not in it.
      </span>
    </>
  );
}

function Totals({ title, totals }: { title: string; totals: RunProposal['totals'] }): ReactNode {
  if (totals.length === 0) return null;
  return (
    <div className="stack" style={{ gap: 6 }}>
      <h3 style={{ margin: 0, fontSize: 14 }}>{title}</h3>
      <Table label={title} rows={totals} columns={TOTALS} keyOf={({ currency }) => currency} />
    </div>
  );
}
