import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { ActionableRow, SimilarRow, SimilarRows } from '../../api/runs/row-detail.ts';
import type { RunDetail } from '../../api/runs/run.ts';
import { allows, refusalOf } from '../approvals/allowed.tsx';
import { CalendarDay, When } from '../elements/values.tsx';
import { counted } from '../elements/formats.ts';
import { Notice, Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { RowStateMark } from '../runs/run-states.tsx';
import { AmountGot, AmountSpent } from './row-amounts.tsx';
import { ReleaseDialog } from './release-rows.tsx';
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
  const [isOpen, setIsOpen] = useState(false);
  const { similar, rowRef } = row;
  if (similar === null) return null;
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
            <Button variant="default" onClick={() => setIsOpen(true)}>
              Release: it is to be paid all the same …
            </Button>
          </div>
        ) : (
          <span className="muted">{refusal}</span>
        )}
      </div>
      {isOpen ? (
        <ReleaseDialog
          run={run}
          chosen={{ rowRef, q: null, currency: null }}
          hash={similar.hash}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </Section>
  );
}
