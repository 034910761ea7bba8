import { Button, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { listAudit, verifyAudit } from '../calls/user-calls.ts';
import { formatCount, inWords } from '../elements/formats.ts';
import { Pages } from '../elements/more.tsx';
import { Failed, Notice } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { SearchField } from '../elements/search-field.tsx';
import { useAddress } from '../elements/use-address.ts';
import { AdminFrame } from '../users/admin-frame.tsx';
import { AuditList } from './audit-list.tsx';

/** What belongs to no run: users, tokens, policy, sign-ins, stops. And whether the whole trail is unbroken. */
export function AuditPage(): ReactNode {
  const { search, change } = useAddress();
  const { kind, from } = search;
  const audit = useInfiniteQuery({
    queryKey: ['audit', kind, from],
    queryFn: ({ pageParam, signal }) => listAudit({ kind, from, afterEntry: pageParam, limit: 200 }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ nextAfterEntry }) => nextAfterEntry,
  });
  return (
    <AdminFrame>
      <Verification />
      <div className="filters no-print">
        <SearchField
          label="Kind of entry"
          placeholder="sign in refused"
          initial={kind ?? ''}
          restMs={300}
          onSearch={(value) => change({ kind: value.replaceAll(' ', '_') })}
        />
        <TextInput
          type="date"
          label="Since"
          value={from ?? ''}
          onChange={(event) => change({ from: event.currentTarget.value })}
        />
      </div>
      <Pages
        query={audit}
        items={audit.data?.pages.flatMap(({ entries }) => entries) ?? []}
        blank={{ title: 'No entry fits' }}
        more="Later entries"
      >
        {(entries) => <AuditList entries={entries} />}
      </Pages>
    </AdminFrame>
  );
}

function Verification(): ReactNode {
  const verify = useAction(() => verifyAudit());
  const report = verify.answer;
  return (
    <div className="stack">
      <div>
        <Button variant="default" loading={verify.isRunning} onClick={() => verify.do(undefined)}>
          Verify the whole trail
        </Button>
      </div>
      {verify.error === null ? null : <Failed error={verify.error} />}
      {report === undefined ? null : report.broken === null ? (
        <Notice tone="paid" title={`Unbroken: ${formatCount(report.sealed)} sealed entries are as they were`}>
          {report.head === null ? null : (
            <>
              Note it elsewhere:{' '}
              <code className="mono">
                {report.head.position}:{report.head.hash}
              </code>
            </>
          )}
        </Notice>
      ) : (
        <Notice tone="failed" title={`Broken at position ${formatCount(report.broken.position)}`}>
          {inWords(report.broken.problem)}. Stop payments, and have the database looked at.
        </Notice>
      )}
    </div>
  );
}
