import { Button, Select, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { GLOBAL_AUDIT_KINDS } from '../../api/audit/audit-kinds.ts';
import { api } from '../calls/api.ts';
import { inWords } from '../elements/formats.ts';
import { Pages } from '../elements/more.tsx';
import { useAddress } from '../elements/use-address.ts';
import { AdminFrame } from '../users/admin-frame.tsx';
import { useUsers } from '../users/use-users.ts';
import { AuditList } from './audit-list.tsx';
import { Verification } from './verification.tsx';
import { capitalized } from '../../domain/capitalized.ts';

/** What belongs to no run: users, tokens, policy, sign-ins, stops. And whether the whole trail is unbroken. */
export function AuditPage(): ReactNode {
  const { search, change } = useAddress();
  const { kind, from, to, by, order } = search;
  const isOldestFirst = order === 'oldest';
  const audit = useInfiniteQuery({
    queryKey: ['audit', kind, from, to, by, isOldestFirst],
    queryFn: ({ pageParam, signal }) =>
      api.listGlobalAudit(
        { kind, from, to, userId: by, order: isOldestFirst ? 'oldest' : 'newest', afterEntry: pageParam, limit: 200 },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: ({ nextAfterEntry }) => nextAfterEntry,
  });
  return (
    <AdminFrame>
      <Verification />
      <Filters />
      <Pages
        query={audit}
        items={audit.data?.pages.flatMap(({ entries }) => entries) ?? []}
        blank={{
          title: 'No entry fits',
          text: 'Choose another kind, person or time.',
          next: (
            <Button variant="default" size="xs" onClick={() => change({ kind: null, by: null, from: null, to: null })}>
              Show all entries
            </Button>
          ),
        }}
        more={isOldestFirst ? 'Later entries' : 'Earlier entries'}
      >
        {(entries) => <AuditList entries={entries} />}
      </Pages>
    </AdminFrame>
  );
}

function Filters(): ReactNode {
  const { search, change } = useAddress();
  const { kind, from, to, by, order } = search;
  const users = useUsers();
  const people = users.data?.map(({ userId, name }) => ({ value: userId, label: name })) ?? [];
  // An address may name a kind of a later version.
  const kinds = [...new Set([...GLOBAL_AUDIT_KINDS, ...(kind === undefined ? [] : [kind])])].sort();
  return (
    <div className="filters no-print">
      <Select
        label="Kind of entry"
        placeholder="all"
        searchable
        clearable
        w={240}
        data={kinds.map((each) => ({ value: each, label: capitalized(inWords(each)) }))}
        value={kind ?? null}
        onChange={(chosen) => change({ kind: chosen })}
      />
      <Select
        label="Done by"
        placeholder="people and payrun"
        searchable
        clearable
        w={200}
        data={people}
        value={by ?? null}
        onChange={(chosen) => change({ by: chosen })}
      />
      <TextInput
        type="date"
        label="From (UTC)"
        value={from ?? ''}
        onChange={(event) => change({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label="To (UTC)"
        value={to ?? ''}
        onChange={(event) => change({ to: event.currentTarget.value })}
      />
      <Select
        label="Order"
        w={160}
        allowDeselect={false}
        data={[
          { value: 'newest', label: 'newest first' },
          { value: 'oldest', label: 'oldest first' },
        ]}
        value={order === 'oldest' ? 'oldest' : 'newest'}
        onChange={(chosen) => change({ order: chosen === 'oldest' ? chosen : null })}
      />
    </div>
  );
}
