import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { ActionableRow, SimilarRows } from '../../api/runs/row-detail.ts';
import type { RunDetail } from '../../api/runs/run.ts';
import { allows, refusalOf } from '../approvals/allowed.tsx';
import { AskedFactor } from '../approvals/asked-factor.tsx';
import { releaseRow } from '../calls/run-calls.ts';
import { ReasonDialog } from '../elements/dialog.tsx';
import { When } from '../elements/figures.tsx';
import { counted } from '../elements/formats.ts';
import { Notice, Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { useAction } from '../elements/use-action.tsx';
import { RowStateMark } from '../runs/run-states.tsx';

type Similar = SimilarRows['rows'][number];

const COLUMNS: readonly Column<Similar>[] = [
  {
    name: 'Row',
    cell: ({ runId, line, rowRef }) => (
      <Link to={`/runs/${runId}/rows?row=${line}`} className="main">
        {rowRef}
      </Link>
    ),
  },
  { name: 'File', cell: ({ fileName }) => fileName },
  { name: 'State', cell: ({ state }) => <RowStateMark state={state} /> },
  { name: 'Submitted', cell: ({ submittedAt }) => <When at={submittedAt} /> },
];

/** What a suspected duplicate may pay a second time, and its release. */
export function ReleaseRow({ run, row }: { run: RunDetail; row: ActionableRow }): ReactNode {
  // What stands on the page when one asks for the release: what comes meanwhile was not looked at.
  const [seen, setSeen] = useState<SimilarRows | null>(null);
  const { similar, rowRef } = row;
  const release = useAction(
    (reason: string | null) =>
      releaseRow({ runId: run.runId, rowRef }, { similarHash: seen?.hash ?? '', reason: reason ?? '' }),
    { changes: [['run', run.runId], ['runs'], ['inbox']], then: () => setSeen(null) },
  );
  if (similar === null) return null;
  const hasChanged = seen !== null && seen.hash !== similar.hash;
  const refusal = refusalOf(row.allowedActions, 'release');
  return (
    <Section title={`May pay a second time: ${counted(similar.rowCount, 'row')} like it`}>
      <div className="stack">
        <Table
          label="Rows like it"
          rows={similar.rows}
          columns={COLUMNS}
          keyOf={({ runId, line }) => `${runId}/${line}`}
        />
        {allows(row.allowedActions, 'release') ? (
          <div>
            <Button variant="default" onClick={() => setSeen(similar)}>
              Release: it is to be paid all the same …
            </Button>
          </div>
        ) : (
          <span className="muted">{refusal}</span>
        )}
      </div>
      <ReasonDialog
        title={`Release ${rowRef}?`}
        verb="Release the row"
        reason="required"
        reasonLabel="Why it is to be paid all the same"
        action={release}
        isOpen={seen !== null}
        isBlocked={hasChanged}
        onClose={() => setSeen(null)}
      >
        {hasChanged ? (
          <Notice tone="failed" title="Other rows are like it now">
            They are in the table behind this: look at them, then ask for the release again.
          </Notice>
        ) : null}
        <p style={{ margin: 0 }}>
          It is paid with its run, which then needs all its approvals again: what was approved before did not have this
          row.
        </p>
        <AskedFactor error={release.error} onShown={release.reset} />
      </ReasonDialog>
    </Section>
  );
}
