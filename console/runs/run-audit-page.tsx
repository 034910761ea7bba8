import { Button, Select } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { AuditList } from '../audit/audit-list.tsx';
import { api } from '../calls/api.ts';
import { Pages } from '../elements/more.tsx';
import { SearchField } from '../elements/search-field.tsx';
import { useAddress, useParam } from '../elements/use-address.ts';
import { RunFrame } from './run-frame.tsx';

/** What happened to a run, the first entry first. */
export function RunAuditPage(): ReactNode {
  return <RunFrame>{() => <Entries />}</RunFrame>;
}

function Entries(): ReactNode {
  const runId = useParam('runId');
  const { search, change } = useAddress();
  const rowRef = search.q ?? null;
  const by = search.by === 'people' ? 'people' : null;
  const audit = useInfiniteQuery({
    queryKey: ['run', runId, 'audit', rowRef, by],
    queryFn: ({ pageParam, signal }) =>
      api.listAudit({ runId, afterEntry: pageParam, limit: 200, rowRef, by }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ nextAfterEntry }) => nextAfterEntry,
  });
  return (
    <>
      <div className="filters no-print">
        <SearchField label="Only the row with the reference" initial={search.q ?? ''} onSearch={(q) => change({ q })} />
        <Select
          label="Done by"
          w={180}
          allowDeselect={false}
          data={[
            { value: 'all', label: 'people and payrun' },
            { value: 'people', label: 'people only' },
          ]}
          value={by ?? 'all'}
          onChange={(value) => change({ by: value === 'people' ? value : null })}
        />
      </div>
      <Pages
        query={audit}
        items={audit.data?.pages.flatMap(({ entries }) => entries) ?? []}
        blank={{
          title: 'No entry fits',
          text: 'Write the reference of the row as it is in the file.',
          next: (
            <Button variant="default" size="xs" onClick={() => change({ q: null, by: null })}>
              Show all entries
            </Button>
          ),
        }}
        more="Later entries"
      >
        {(entries) => <AuditList entries={entries} />}
      </Pages>
    </>
  );
}
