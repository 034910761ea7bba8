import { Button, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { AuditList } from '../audit/audit-list.tsx';
import { listRunAudit } from '../calls/run-calls.ts';
import { Blank, Failed, Skeleton } from '../elements/page.tsx';
import { useAddress, useParam } from '../elements/use-address.ts';
import { RunFrame } from './run-frame.tsx';

/** What happened to a run, the first entry first. */
export function RunAuditPage(): ReactNode {
  return <RunFrame>{() => <Entries />}</RunFrame>;
}

function Entries(): ReactNode {
  const runId = useParam('runId');
  const { search, change } = useAddress();
  const [text, setText] = useState(search.q ?? '');
  const apply = useDebouncedCallback((q: string) => change({ q: q.trim() }), 250);
  const rowRef = search.q ?? null;
  const audit = useInfiniteQuery({
    queryKey: ['run', runId, 'audit', rowRef],
    queryFn: ({ pageParam, signal }) => listRunAudit(runId, { afterEntry: pageParam, limit: 200, rowRef }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ nextAfterEntry }) => nextAfterEntry,
  });
  const entries = audit.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      <div className="filters no-print">
        <TextInput
          label="Only the row with the reference"
          data-page-search
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            apply(event.currentTarget.value);
          }}
        />
      </div>
      {audit.isPending ? <Skeleton lines={10} /> : null}
      {audit.isError ? <Failed error={audit.error} onRetry={() => void audit.refetch()} /> : null}
      {audit.data !== undefined && entries.length === 0 ? <Blank title="No entry fits" /> : null}
      <AuditList entries={entries} />
      {audit.hasNextPage ? (
        <div>
          <Button variant="default" loading={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
            Later entries
          </Button>
        </div>
      ) : null}
    </>
  );
}
