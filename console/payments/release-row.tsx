import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { ActionableRow, SimilarRow, SimilarRows } from '../../api/runs/row-detail.ts';
import type { RunDetail } from '../../api/runs/run.ts';
import { allows, refusalOf } from '../approvals/allowed.tsx';
import { AskedFactor } from '../approvals/asked-factor.tsx';
import { api } from '../calls/api.ts';
import { ReasonDialog } from '../elements/dialog.tsx';
import { CalendarDay, When } from '../elements/values.tsx';
import { counted } from '../elements/formats.ts';
import { Facts, Notice, Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { useAction } from '../elements/use-action.tsx';
import { RowStateMark } from '../runs/run-states.tsx';
import { AmountGot, AmountSpent, factsOf } from './row-amounts.tsx';
import { accountText, beneficiaryOf } from './row-words.ts';

/** A row of the table: one that is like the row in question, or that row itself. */
interface Compared extends SimilarRow {
  isOwn: boolean;
}

const COLUMNS: readonly Column<Compared>[] = [
  {
    name: 'Row',
    cell: ({ runId, line, rowRef, isOwn }) =>
      isOwn ? (
        <strong>{rowRef} (this row)</strong>
      ) : (
        <Link to={`/runs/${runId}/rows?row=${line}`} className="main">
          {rowRef}
        </Link>
      ),
  },
  { name: 'They get', align: 'right', cell: (row) => <AmountGot row={row} /> },
  { name: 'We spend', align: 'right', cell: (row) => <AmountSpent row={row} /> },
  { name: 'Beneficiary', cell: beneficiaryOf },
  { name: 'Account', cell: ({ bankAccount }) => accountText(bankAccount) ?? <span className="muted">not shown</span> },
  { name: 'State', cell: ({ state }) => <RowStateMark state={state} run={null} /> },
  { name: 'Paid', cell: ({ paidAt }) => <When at={paidAt} /> },
  { name: 'To be paid on', cell: ({ payOn }) => <CalendarDay day={payOn} /> },
  { name: 'File', cell: ({ fileName }) => fileName },
  { name: 'Submitted', cell: ({ submittedAt }) => <When at={submittedAt} /> },
];

/** The row in question above those that are like it. */
function compared(run: RunDetail, row: ActionableRow, similar: SimilarRows): Compared[] {
  const { runId, fileName, submittedAt } = run;
  const own = { ...row, runId, fileName, submittedAt, paidAt: null, isOwn: true };
  return [own, ...similar.rows.map((each) => ({ ...each, isOwn: false }))];
}

/** What a suspected duplicate may pay a second time, and its release. */
export function ReleaseRow({ run, row }: { run: RunDetail; row: ActionableRow }): ReactNode {
  // What stands on the page when one asks for the release: what comes meanwhile was not looked at.
  const [seen, setSeen] = useState<SimilarRows | null>(null);
  const { similar, rowRef } = row;
  const release = useAction(
    (reason: string | null) =>
      api.releaseRow({ runId: run.runId, rowRef, similarHash: seen?.hash ?? '', reason: reason ?? '' }),
    { changes: [['run', run.runId], ['runs'], ['inbox']], then: () => setSeen(null) },
  );
  if (similar === null) return null;
  const hasChanged = seen !== null && seen.hash !== similar.hash;
  const refusal = refusalOf(row.allowedActions, 'release');
  const unlisted = similar.rowCount - similar.rows.length;
  return (
    <Section title={`May pay a second time: ${counted(similar.rowCount, 'row')} like it`}>
      <div className="stack">
        <Table
          label="This row, and rows like it"
          rows={compared(run, row, similar)}
          columns={COLUMNS}
          keyOf={({ runId, line }) => `${runId}/${line}`}
        />
        {unlisted > 0 ? (
          <Notice tone="waiting">
            {counted(unlisted, 'more row')} {unlisted === 1 ? 'is' : 'are'} like it, of other accounts or not listed.
          </Notice>
        ) : null}
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
        <Facts of={[...factsOf(row), ['Rows like it', counted(seen?.rowCount ?? 0, 'row')]]} />
        <p style={{ margin: 0 }}>
          It is paid with its run, which then needs all its approvals again: what was approved before did not have this
          row.
        </p>
        <AskedFactor error={release.error} onShown={release.reset} />
      </ReasonDialog>
    </Section>
  );
}
