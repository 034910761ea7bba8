import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Beneficiary, BookPage } from '../../api/beneficiaries/endpoints.ts';
import { api } from '../calls/api.ts';
import { counted } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Blank, Notice, Page, Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { useParam } from '../elements/use-address.ts';
import { Money, When } from '../elements/values.tsx';
import { useMay } from '../shell/session.tsx';
import { AccountCard } from './account-card.tsx';
import { numberOf } from './beneficiary-words.ts';
import { useAccount } from './use-account.ts';

/** One beneficiary of the book: names, accounts with who confirmed them and how, what was paid, and what waits. */
export function BeneficiaryPage(): ReactNode {
  const key = useParam('key');
  const account = useAccount();
  const mayEdit = useMay('edit_beneficiaries');
  const book = useQuery({
    queryKey: ['beneficiary', account, key],
    queryFn: ({ signal }) => api.listBeneficiaries({ account, key }, { signal }),
    refetchInterval: 15_000,
  });
  const [found] = book.data?.beneficiaries ?? [];
  const add = (
    <Button
      component={Link}
      to={`/beneficiaries/new?account=${encodeURIComponent(account ?? '')}&key=${encodeURIComponent(key)}`}
    >
      Add another account
    </Button>
  );
  return (
    <Page
      title={found?.names[0] ?? key}
      under={<Under beneficiary={found} keyOf={key} account={account} />}
      actions={mayEdit && found !== undefined ? add : undefined}
    >
      <Loaded query={book}>
        {(page) =>
          found === undefined ? (
            <Blank title="The book has nobody with this key">
              <p>The key may be of another account with the provider, or its lines were erased.</p>
              <Link to="/beneficiaries">Look at the book</Link>
            </Blank>
          ) : (
            <Entry beneficiary={found} page={page} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Under(props: { beneficiary: Beneficiary | undefined; keyOf: string; account: string | null }): ReactNode {
  const { beneficiary, keyOf, account } = props;
  const others = beneficiary?.names.slice(1) ?? [];
  return (
    <>
      Key <strong>{keyOf}</strong>, in the book of the account {account}
      {others.length === 0 ? null : <>; also written {others.join(', ')}</>}
    </>
  );
}

function Entry({ beneficiary, page }: { beneficiary: Beneficiary; page: BookPage }): ReactNode {
  const { accounts } = beneficiary;
  const live = accounts.filter(({ endedAt }) => endedAt === null);
  const past = accounts.filter(({ endedAt }) => endedAt !== null);
  const cards = (of: Beneficiary['accounts']) =>
    of.map((each) => <AccountCard key={each.id} {...{ beneficiary, page }} of={each} />);
  return (
    <>
      <HeldRows rows={page.heldRows} />
      <Section title="Accounts">
        {live.length === 0 ? <Blank title="No account is in use" /> : <div className="stack">{cards(live)}</div>}
      </Section>
      <Paid accounts={accounts} />
      {past.length === 0 ? null : (
        <details>
          <summary>{counted(past.length, 'account')} that ended or were rejected</summary>
          <div className="stack">{cards(past)}</div>
        </details>
      )}
    </>
  );
}

const HELD_COLUMNS: readonly Column<BookPage['heldRows'][number]>[] = [
  {
    name: 'Row',
    cell: ({ runId, fileName, line }) => (
      <Link to={`/runs/${runId}/rows?row=${line}`} className="main">
        {fileName}, line {line}
      </Link>
    ),
  },
  { name: 'Amount', align: 'right', cell: ({ amount, currency }) => <Money amount={amount} currency={currency} /> },
];

function HeldRows({ rows }: { rows: BookPage['heldRows'] }): ReactNode {
  if (rows.length === 0) return null;
  return (
    <Section title="Rows that wait for a confirmation">
      <Notice tone="waiting">
        They pay an account that nobody has confirmed, under one of these names or with one of these accounts. Its
        confirmation releases them, and their runs are proposed again.
      </Notice>
      <Table
        label="Held rows"
        rows={rows}
        columns={HELD_COLUMNS}
        keyOf={({ runId, line }) => `${runId}/${line}`}
        hrefOf={({ runId, line }) => `/runs/${runId}/rows?row=${line}`}
      />
    </Section>
  );
}

interface PaidLine {
  number: string;
  paid: Beneficiary['accounts'][number]['paid'][number];
}

const PAID_COLUMNS: readonly Column<PaidLine>[] = [
  { name: 'Account', cell: ({ number }) => <span className="numbers">{number}</span> },
  { name: 'Payments', align: 'right', cell: ({ paid }) => paid.payments },
  {
    name: 'Usual amount',
    align: 'right',
    cell: ({ paid }) => <Money amount={paid.usualAmount} currency={paid.currency} />,
  },
  {
    name: 'Last amount',
    align: 'right',
    cell: ({ paid }) => <Money amount={paid.lastAmount} currency={paid.currency} />,
  },
  {
    name: 'Last paid',
    align: 'right',
    cell: ({ paid }) => (
      <Link to={`/runs/${paid.lastRunId}`}>
        <When at={paid.lastAt} />
      </Link>
    ),
  },
];

function Paid({ accounts }: { accounts: Beneficiary['accounts'] }): ReactNode {
  // Several lines may have one account.
  const lines = accounts.flatMap((each) => each.paid.map((paid) => ({ number: numberOf(each), paid })));
  const once = [...new Map(lines.map((line) => [`${line.number} ${line.paid.currency}`, line])).values()];
  return (
    <Section title="What was paid">
      {once.length === 0 ? (
        <p className="muted" style={{ margin: 0 }}>
          Nothing was paid to these accounts.
        </p>
      ) : (
        <Table
          label="What was paid"
          rows={once}
          columns={PAID_COLUMNS}
          keyOf={({ number, paid }) => `${number} ${paid.currency}`}
        />
      )}
    </Section>
  );
}
