import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DraftList } from '../../api/payment-file/draft.ts';
import { api } from '../calls/api.ts';
import { formatCount } from '../elements/formats.ts';
import { Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { When } from '../elements/values.tsx';

const DRAFTS: readonly Column<DraftList['drafts'][number]>[] = [
  {
    name: 'File',
    cell: ({ draftId, fileName }) => (
      <Link to={`/drafts/${draftId}`} className="main">
        {fileName}
      </Link>
    ),
  },
  { name: 'Rows', align: 'right', cell: ({ rowCount }) => formatCount(rowCount) },
  {
    name: 'Problems',
    align: 'right',
    cell: ({ problemCount }) => (problemCount === null ? 'cannot be read' : formatCount(problemCount)),
  },
  { name: 'Changed', align: 'right', cell: ({ changedAt }) => <When at={changedAt} /> },
  { name: 'Deleted on', align: 'right', isWideOnly: true, cell: ({ deletedAt }) => <When at={deletedAt} /> },
];

export function Drafts(): ReactNode {
  const drafts = useQuery({
    queryKey: ['drafts'],
    queryFn: async ({ signal }) => (await api.listDrafts({}, { signal })).drafts,
  });
  if (drafts.data === undefined || drafts.data.length === 0) return null;
  return (
    <Section title="Files that you are correcting">
      <Table
        label="Drafts"
        rows={drafts.data}
        columns={DRAFTS}
        keyOf={({ draftId }) => draftId}
        hrefOf={({ draftId }) => `/drafts/${draftId}`}
      />
    </Section>
  );
}
