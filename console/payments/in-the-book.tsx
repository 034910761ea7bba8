import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RowDetail } from '../../api/runs/row-detail.ts';
import type { RunDetail } from '../../api/runs/run.ts';
import { useMay } from '../shell/session.tsx';

/** From a row whose account nobody confirmed to the beneficiary in the book, or to where its account is added. */
export function InTheBook({ run, row }: { run: RunDetail; row: RowDetail }): ReactNode {
  const mayRead = useMay('read_instructions');
  const mayEdit = useMay('edit_beneficiaries');
  if (row.errorCode !== 'account_unconfirmed' || !mayRead) return null;
  const { account } = run;
  return (
    <div className="row">
      <Link to="/beneficiaries" search={{ account, payment: row.paymentId }}>
        Who has this name or account in the book
      </Link>
      {mayEdit ? (
        <Link to="/beneficiaries/new" search={{ account, run: run.runId, line: String(row.line) }}>
          Add this account to the book
        </Link>
      ) : null}
    </div>
  );
}
