import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { SuspectedRows } from '../../api/runs/release.ts';
import type { RunDetail } from '../../api/runs/run.ts';
import { allows } from '../approvals/allowed.tsx';
import { AskedFactor } from '../approvals/asked-factor.tsx';
import { api } from '../calls/api.ts';
import { ReasonDialog } from '../elements/dialog.tsx';
import { counted } from '../elements/formats.ts';
import { Facts, Failed, Notice, Skeleton } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { useAction } from '../elements/use-action.tsx';
import { Money, When } from '../elements/values.tsx';

/** Which suspected duplicates of the run. */
export interface Chosen {
  rowRef: string | null;
  q: string | null;
  currency: string | null;
}

export const USUAL_REASONS = [
  'A regular payment, due again',
  'Another invoice of the same amount',
  'The earlier payment came back',
] as const;

const COLUMNS: readonly Column<SuspectedRows['runs'][number]>[] = [
  { name: 'May repeat rows of', cell: ({ runId, fileName }) => <Link to={`/runs/${runId}`}>{fileName}</Link> },
  { name: 'Submitted', cell: ({ submittedAt }) => <When at={submittedAt} /> },
  { name: 'Rows', align: 'right', cell: ({ rowCount }) => rowCount },
  { name: 'Paid', align: 'right', cell: ({ paidCount }) => paidCount },
  { name: 'Last paid', cell: ({ paidAt }) => <When at={paidAt} /> },
];

/** Releases all suspected duplicates that are listed, in one act. */
export function ReleaseListed({ run, chosen }: { run: RunDetail; chosen: Chosen }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  if (!allows(run.allowedActions, 'release')) return null;
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setIsOpen(true)}>
        Release these …
      </Button>
      {isOpen ? <ReleaseDialog run={run} chosen={chosen} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

/** Says what would be paid and what it may repeat, and releases what it has said. */
export function ReleaseDialog(props: {
  run: RunDetail;
  chosen: Chosen;
  /** Of what stands on the page, where something does. */
  hash?: string;
  onClose: () => void;
}): ReactNode {
  const { run, chosen, onClose } = props;
  const { runId } = run;
  const rows = { ...chosen, code: null };
  // What is shown is what is released: it is not read again behind whoever looks at it.
  const read = useQuery({
    queryKey: ['suspects', runId, chosen],
    queryFn: ({ signal }) => api.findSuspects({ runId, ...rows }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const seen = read.data ?? null;
  const hasChanged = seen !== null && seen.hash !== (props.hash ?? seen.hash);
  const release = useAction(
    (reason: string | null) => api.releaseRows({ runId, rows, hash: seen?.hash ?? '', reason: reason ?? '' }),
    { changes: [['run', runId], ['runs'], ['inbox']], then: onClose },
  );
  return (
    <ReasonDialog
      title={seen === null ? 'Release suspected duplicates' : `Release ${counted(seen.rowCount, 'row')}?`}
      verb={seen === null ? 'Release' : `Release ${counted(seen.rowCount, 'row')}`}
      reason="required"
      reasonLabel="Why they are to be paid all the same"
      suggestions={USUAL_REASONS}
      action={release}
      isOpen
      isBlocked={seen === null || seen.rowCount === 0 || hasChanged}
      onClose={onClose}
    >
      {read.isError ? <Failed error={read.error} onRetry={() => void read.refetch()} /> : null}
      {hasChanged ? (
        <Notice tone="failed" title="Other rows are like it now">
          They are in the table behind this: look at them, then ask for the release again.
        </Notice>
      ) : null}
      {seen === null ? <Skeleton lines={3} /> : <Seen seen={seen} />}
      {release.error === null ? null : (
        <Button variant="default" onClick={() => void read.refetch().then(release.reset)}>
          Look again
        </Button>
      )}
      <p style={{ margin: 0 }}>
        They are paid with their run, which then needs all its approvals again. Your reason is also the answer to the
        alarm of the approval.
      </p>
      <AskedFactor error={release.error} onShown={release.reset} />
    </ReasonDialog>
  );
}

function Seen({ seen }: { seen: SuspectedRows }): ReactNode {
  const { rowCount, amounts, alikeCount, similarCount, runs } = seen;
  const unlisted = similarCount - runs.reduce((sum, run) => sum + run.rowCount, 0);
  return (
    <>
      <Facts
        of={[
          ['Suspected duplicates', counted(rowCount, 'row')],
          [
            'Together',
            amounts.map(({ currency, amount }) => <Money key={currency} amount={amount} currency={currency} />),
          ],
          ['They may repeat', counted(similarCount, 'row')],
        ]}
      />
      {alikeCount === 0 ? null : (
        <Notice tone="waiting">{counted(alikeCount, 'row')} of them pay the same as another one of them.</Notice>
      )}
      <Table label="Runs whose rows may be repeated" rows={runs} columns={COLUMNS} keyOf={({ runId }) => runId} />
      {unlisted > 0 ? (
        <Notice tone="waiting">
          {counted(unlisted, 'more row')}, of other accounts or not listed, may be repeated.
        </Notice>
      ) : null}
    </>
  );
}
