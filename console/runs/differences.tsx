import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RunDifferences } from '../../api/runs/differences.ts';
import { changeInPercent, DIFFERENCE_IN_WORDS, differencesInWords } from '../../domain/runs/run-difference.ts';
import { SIDE_IN_WORDS } from '../../domain/runs/run-proposal.ts';
import { api } from '../calls/api.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { Money, When } from '../elements/values.tsx';

type Difference = RunDifferences['differences'][number];

const COLUMNS: readonly Column<Difference>[] = [
  { name: 'Difference', cell: ({ kind }) => DIFFERENCE_IN_WORDS[kind] },
  {
    name: 'Beneficiary',
    cell: ({ beneficiary, now, before }) => {
      const row = now ?? before;
      const name = beneficiary ?? 'cannot be read';
      return row === null ? (
        name
      ) : (
        <Link to={`/runs/${row.runId}/rows?row=${row.line}`} className="main">
          {name}
        </Link>
      );
    },
  },
  { name: 'Currency', cell: ({ currency, side }) => `${currency} ${SIDE_IN_WORDS[side]}` },
  { name: 'Before', align: 'right', cell: ({ before }) => <Money amount={before?.amount ?? null} /> },
  { name: 'Now', align: 'right', cell: ({ now }) => <Money amount={now?.amount ?? null} /> },
  {
    name: 'Change',
    align: 'right',
    cell: ({ before, now }) => (before === null || now === null ? null : changeInPercent(before.amount, now.amount)),
  },
];

/** How the run differs from the last paid one of its kind; what is as before is only counted. */
export function Differences({ runId, contentHash }: { runId: string; contentHash: string }): ReactNode {
  const pages = useInfiniteQuery({
    queryKey: ['run', runId, 'differences', contentHash],
    queryFn: ({ signal, pageParam }) => api.getDifferences({ runId, after: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 60_000,
  });
  return (
    <Section title="Compared with the last paid run">
      <Loaded query={pages} lines={4}>
        {({ pages: [first, ...others] }) => {
          const compared = first?.comparedWith ?? null;
          if (first === undefined || compared === null)
            return <span className="muted">No run of its kind was paid before.</span>;
          const found = [first, ...others].flatMap(({ differences }) => differences);
          return (
            <div className="stack">
              <p style={{ margin: 0 }}>
                <Link to={`/runs/${compared.runId}`}>{compared.fileName}</Link>, <When at={compared.submittedAt} />:{' '}
                {differencesInWords(first.counts)}
              </p>
              {found.length === 0 ? null : (
                <Table
                  label="Differences"
                  rows={found}
                  columns={COLUMNS}
                  keyOf={({ kind, currency, side, now, before }) =>
                    `${kind} ${currency} ${side} ${(now ?? before)?.line ?? 0}`
                  }
                />
              )}
              {pages.hasNextPage ? (
                <Button variant="default" onClick={() => void pages.fetchNextPage()}>
                  Show more
                </Button>
              ) : null}
            </div>
          );
        }}
      </Loaded>
    </Section>
  );
}
