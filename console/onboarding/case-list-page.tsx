import { Button, Select } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CasePage, CaseSummary } from '../../api/onboarding/case.ts';
import { CASE_STATE_TABLE } from '../../domain/onboarding/case-state.ts';
import { api } from '../calls/api.ts';
import { When } from '../elements/values.tsx';
import { formatCount, inWords } from '../elements/formats.ts';
import { Pages } from '../elements/more.tsx';
import { Page } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { SearchField } from '../elements/search-field.tsx';
import { useAddress } from '../elements/use-address.ts';
import { useMay } from '../shell/session.tsx';
import { CaseMark } from './case-states.tsx';
import { Holds } from './holds.tsx';

const COLUMNS: readonly Column<CaseSummary>[] = [
  {
    name: 'Applicant',
    cell: ({ caseId, applicantRef }) => (
      <Link to={`/onboarding/${caseId}`} className="main">
        {applicantRef}
      </Link>
    ),
  },
  { name: 'State', cell: ({ state }) => <CaseMark state={state} /> },
  { name: 'Kind', cell: ({ accountType }) => accountType },
  {
    name: 'Asked for',
    cell: ({ missing }) =>
      missing.length === 0 ? <span className="muted">nothing</span> : missing.map(inWords).join(', '),
  },
  { name: 'Account', isWideOnly: true, cell: ({ account }) => account },
  { name: 'Waits since', align: 'right', cell: ({ waitingSince }) => <When at={waitingSince} /> },
  { name: 'Submitted', align: 'right', isWideOnly: true, cell: ({ submittedAt }) => <When at={submittedAt} /> },
];

/** Applicants, by what they wait for. */
export function CaseListPage(): ReactNode {
  const { search } = useAddress();
  const { state, ref } = search;
  const mayOnboard = useMay('onboard');
  const cases = useInfiniteQuery({
    queryKey: ['cases', state, ref],
    queryFn: ({ pageParam, signal }) =>
      api.listCases({ state: state as CaseSummary['state'], ref, after: pageParam, limit: 100 }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextAfter }) => nextAfter,
    refetchInterval: 30_000,
  });
  const [first] = cases.data?.pages ?? [];
  return (
    <Page
      title="Onboarding"
      under="Users and companies, from their data to the decision of the provider"
      actions={
        mayOnboard ? (
          <Button component={Link} to="/onboarding/new">
            New applicants
          </Button>
        ) : undefined
      }
    >
      <Holds />
      <Filters counts={first?.counts ?? []} />
      <Pages
        query={cases}
        items={cases.data?.pages.flatMap((page) => page.cases) ?? []}
        blank={{
          title: state === undefined && ref === undefined ? 'There are no applicants yet' : 'No matching applicant',
          text: 'Applicants come from a file, with their documents.',
        }}
        more="More applicants"
      >
        {(items) => (
          <Table
            label="Applicants"
            rows={items}
            columns={COLUMNS}
            keyOf={({ caseId }) => caseId}
            hrefOf={({ caseId }) => `/onboarding/${caseId}`}
          />
        )}
      </Pages>
    </Page>
  );
}

function Filters({ counts }: { counts: CasePage['counts'] }): ReactNode {
  const { search, change } = useAddress();
  return (
    <div className="filters">
      <SearchField label="Reference of the applicant" initial={search.ref ?? ''} onSearch={(ref) => change({ ref })} />
      <Select
        label="State"
        placeholder="all"
        clearable
        w={220}
        data={counts.map(({ state, count }) => ({
          value: state,
          label: `${CASE_STATE_TABLE[state].word} (${formatCount(count)})`,
        }))}
        value={search.state ?? null}
        onChange={(state) => change({ state })}
      />
    </div>
  );
}
