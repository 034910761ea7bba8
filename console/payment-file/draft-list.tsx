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

function useDrafts(): DraftList['drafts'] {
  const drafts = useQuery({
    queryKey: ['drafts'],
    queryFn: async ({ signal }) => (await api.listDrafts({}, { signal })).drafts,
  });
  return drafts.data ?? [];
}

/** Leads to the drafts, from where their runs will be. */
export function OpenDrafts(): ReactNode {
  const drafts = useDrafts();
  const [only] = drafts;
  if (only === undefined) return null;
  return (
    <p className="no-print" style={{ margin: 0 }}>
      Not submitted yet:{' '}
      {drafts.length === 1 ? (
        <Link to={`/drafts/${only.draftId}`}>{only.fileName}</Link>
      ) : (
        <Link to="/runs/new">{drafts.length} files that you are correcting</Link>
      )}
    </p>
  );
}

export function Drafts(): ReactNode {
  const drafts = useDrafts();
  if (drafts.length === 0) return null;
  return (
    <Section title="Files that you are correcting">
      <Table
        label="Drafts"
        rows={drafts}
        columns={DRAFTS}
        keyOf={({ draftId }) => draftId}
        hrefOf={({ draftId }) => `/drafts/${draftId}`}
      />
    </Section>
  );
}
