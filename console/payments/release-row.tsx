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

/** Few columns that wrap: in a panel, a wide table hides its days and files. */
const COLUMNS: readonly Column<Compared>[] = [
  { name: 'Row', cell: (row) => <Where of={row} /> },
  {
    name: 'They get, for what we spend',
    align: 'right',
    cell: (row) => (
      <>
        <AmountGot row={row} />
        <div className="muted">
          for <AmountSpent row={row} />
        </div>
      </>
    ),
  },
  { name: 'Reference', cell: ({ reference }) => <Wrapped>{reference ?? '–'}</Wrapped> },
  {
    name: 'Beneficiary',
    cell: (row) => (
      <>
        <Wrapped>{beneficiaryOf(row)}</Wrapped>
        <div className="muted">
          <Wrapped>{accountText(row.bankAccount) ?? 'account not shown'}</Wrapped>
        </div>
      </>
    ),
  },
  { name: 'State', cell: (row) => <Stands of={row} /> },
];

function Wrapped({ children }: { children: ReactNode }): ReactNode {
  return <span style={{ overflowWrap: 'anywhere' }}>{children}</span>;
}

function Where({ of: { runId, line, rowRef, isOwn, fileName, submittedAt } }: { of: Compared }): ReactNode {
  return (
    <>
      {isOwn ? (
        <strong>{rowRef} (this row)</strong>
      ) : (
        <Link to={`/runs/${runId}/rows?row=${line}`} className="main">
          {rowRef}
        </Link>
      )}
      <div className="muted">
        line {line} of <Wrapped>{isOwn ? fileName : <Link to={`/runs/${runId}`}>{fileName}</Link>}</Wrapped>, submitted{' '}
        <When at={submittedAt} />
      </div>
    </>
  );
}

function Stands({ of: { state, paidAt, payOn } }: { of: Compared }): ReactNode {
  return (
    <>
      <RowStateMark state={state} run={null} />
      {paidAt === null ? null : (
        <div>
          paid <When at={paidAt} />
        </div>
      )}
      {payOn === null ? null : (
        <div className="muted">
          to be paid on <CalendarDay day={payOn} />
        </div>
      )}
    </>
  );
}

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
