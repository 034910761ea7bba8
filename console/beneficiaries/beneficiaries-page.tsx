import { Button, Select } from '@mantine/core';
import { IconDownload, IconFileImport } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Beneficiary } from '../../api/beneficiaries/endpoints.ts';
import {
  BENEFICIARY_ACCOUNT_STATE_TABLE,
  type BeneficiaryAccountState,
} from '../../domain/beneficiaries/beneficiary-account-state.ts';
import { api, linkTo } from '../calls/api.ts';
import { Pages } from '../elements/more.tsx';
import { Notice, Page } from '../elements/page.tsx';
import { SearchField } from '../elements/search-field.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { useAddress } from '../elements/use-address.ts';
import { useMay, useSession } from '../shell/session.tsx';
import { AccountStateMark } from './account-states.tsx';
import { beneficiaryHref, numberOf } from './beneficiary-words.ts';
import { ConfirmSeveral } from './confirm-several.tsx';
import { useAccount } from './use-account.ts';

const SHOWN_ACCOUNTS = 3;

/** The book of beneficiaries: who is known, at which accounts, and which of them wait for a second person. */
export function BeneficiariesPage(): ReactNode {
  const { search } = useAddress();
  const { q, payment } = search;
  const state = (search.state ?? null) as BeneficiaryAccountState | null;
  const account = useAccount();
  const book = useInfiniteQuery({
    queryKey: ['beneficiaries', account, q, state, payment],
    queryFn: ({ pageParam, signal }) =>
      api.listBeneficiaries({ account, q, state, payment, after: pageParam, limit: 50 }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextAfter }) => nextAfter,
    enabled: account !== null,
    refetchInterval: 30_000,
  });
  const beneficiaries = book.data?.pages.flatMap((page) => page.beneficiaries) ?? [];
  const isFiltered = q !== undefined || state !== null || payment !== undefined;
  return (
    <Page
      title="Beneficiaries"
      under="Who is paid, at which accounts, and who has confirmed them"
      actions={<BookActions account={account} shown={beneficiaries} />}
    >
      <Filters account={account} />
      {payment === undefined ? null : (
        <Notice tone="neutral" title="Shown: who has the name, or the account, of the held row">
          Where nobody is shown, the book has neither: add the account from the row.
        </Notice>
      )}
      <Pages
        query={book}
        items={beneficiaries}
        blank={{
          title: isFiltered ? 'No matching beneficiary' : 'The book is empty',
          text: isFiltered
            ? 'The search finds the beginning of a key, words of a name, and the last four characters of an account.'
            : 'Import your list of suppliers, or add an account. A second person confirms each.',
        }}
        more="More beneficiaries"
      >
        {(items) => (
          <Table
            label="Beneficiaries"
            rows={items}
            columns={columnsFor(account ?? '')}
            keyOf={({ key }) => key}
            hrefOf={({ key }) => beneficiaryHref(key, account ?? '')}
          />
        )}
      </Pages>
    </Page>
  );
}

function columnsFor(account: string): Column<Beneficiary>[] {
  return [
    {
      name: 'Key',
      cell: ({ key }) => (
        <Link to={beneficiaryHref(key, account)} className="main">
          {key}
        </Link>
      ),
    },
    { name: 'Names', cell: ({ names }) => (names.length === 0 ? <span className="muted">–</span> : names.join(', ')) },
    { name: 'Accounts', cell: (of) => <Accounts of={of} /> },
  ];
}

/** Those that are in use or wait, before those that are not. */
function Accounts({ of: { accounts } }: { of: Beneficiary }): ReactNode {
  const live = accounts.filter(({ endedAt }) => endedAt === null);
  const shown = (live.length > 0 ? live : accounts).slice(0, SHOWN_ACCOUNTS);
  const others = accounts.length - shown.length;
  return (
    <div className="stack" style={{ gap: 4 }}>
      {shown.map((each) => (
        <span key={each.id} className="row" style={{ gap: 8 }}>
          <span className="numbers" style={{ overflowWrap: 'anywhere' }}>
            {each.currency} {numberOf(each)}
          </span>
          <AccountStateMark state={each.state} />
        </span>
      ))}
      {others > 0 ? <span className="muted small">and {others} more</span> : null}
    </div>
  );
}

function BookActions({ account, shown }: { account: string | null; shown: readonly Beneficiary[] }): ReactNode {
  const mayEdit = useMay('edit_beneficiaries');
  if (account === null) return null;
  return (
    <>
      <Button
        component="a"
        href={linkTo('exportBeneficiaries', { account })}
        download
        variant="default"
        leftSection={<IconDownload size={14} />}
      >
        Export
      </Button>
      {mayEdit ? (
        <Button
          component={Link}
          to={`/beneficiaries/import?account=${encodeURIComponent(account)}`}
          variant="default"
          leftSection={<IconFileImport size={14} />}
        >
          Import
        </Button>
      ) : null}
      {mayEdit ? (
        <Button component={Link} to={`/beneficiaries/new?account=${encodeURIComponent(account)}`}>
          Add an account
        </Button>
      ) : null}
      <ConfirmSeveral account={account} beneficiaries={shown} />
    </>
  );
}

function Filters({ account }: { account: string | null }): ReactNode {
  const { search, change } = useAddress();
  const { usableAccounts } = useSession();
  return (
    <div className="filters no-print">
      <SearchField
        label="Key, name or end of the account"
        initial={search.q ?? ''}
        onSearch={(q) => change({ q, payment: null })}
      />
      <Select
        label="With an account that is"
        placeholder="any"
        clearable
        w={220}
        data={Object.entries(BENEFICIARY_ACCOUNT_STATE_TABLE).map(([value, { word }]) => ({ value, label: word }))}
        value={search.state ?? null}
        onChange={(state) => change({ state })}
      />
      {usableAccounts.length < 2 ? null : (
        <Select
          label="Book of the account"
          w={180}
          data={usableAccounts}
          allowDeselect={false}
          value={account}
          onChange={(chosen) => change({ account: chosen })}
        />
      )}
    </div>
  );
}
