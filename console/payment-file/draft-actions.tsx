import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Draft, DraftSubmissionRequest } from '../../api/payment-file/draft.ts';
import type { AcceptedSubmission } from '../../api/runs/submission.ts';
import { api } from '../calls/api.ts';
import { ChangedMeanwhile } from '../elements/changed-meanwhile.tsx';
import { ReasonDialog } from '../elements/dialog.tsx';
import { capitalized } from '../../domain/capitalized.ts';
import { Notice } from '../elements/page.tsx';
import { Money } from '../elements/values.tsx';
import { counted, formatCount } from '../elements/formats.ts';
import { type Action, useAction } from '../elements/use-action.tsx';
import { type AskedAbout, useAskedAbout } from '../elements/use-asked-about.ts';
import { beforeSubmission, countOf, type DraftEdits, pendingOf } from './draft-edits.ts';
import { rowsInWords } from './rows-in-words.ts';
import { SubmissionFailed } from './submission-failed.tsx';

type Question = 'delete' | 'submit' | 'leave_out';
type Submitted = Pick<DraftSubmissionRequest, 'onInvalid' | 'checkOnly'>;

/** What becomes of a draft: it is submitted, as a whole or without what is wrong, or deleted. */
export function DraftActions({ draft, edits }: { draft: Draft; edits: DraftEdits }): ReactNode {
  const navigate = useNavigate();
  const { draftId, revision, leftOut, removedRows } = draft;
  const asked = useAskedAbout<Question>(`${draftId}/${revision}`);
  const submit = useAction((how: Submitted) => api.submitDraft({ draftId, revision, ...how }), {
    changes: [['draft', draftId], ['drafts'], ['runs'], ['inbox']],
    then: ({ runId }: AcceptedSubmission) => void navigate({ to: '/runs/$runId', params: { runId } }),
  });
  const remove = useAction(() => api.deleteDraft({ draftId }), {
    changes: [['drafts']],
    // What is not saved goes with it.
    then: () => void navigate({ to: '/runs/new', ignoreBlocker: true }),
  });
  const toDo = beforeSubmission(draft, edits);
  const mayLeaveOut = leftOut !== null && countOf(pendingOf(edits)) === 0 && edits.unplaced.length === 0;
  return (
    <>
      {submit.error === null || asked.question !== null ? null : <SubmissionFailed error={submit.error} />}
      <ChangedMeanwhile what="The draft" asked={asked} />
      <Button variant="default" color="red" onClick={() => asked.open('delete')}>
        Delete …
      </Button>
      {mayLeaveOut ? (
        <Button variant="default" onClick={() => asked.open('leave_out')}>
          Submit without {counted(leftOut.rows, 'row')} …
        </Button>
      ) : null}
      {toDo === null && removedRows.length === 0 ? (
        <Button variant="default" disabled={submit.isRunning} onClick={() => submit.do({ checkOnly: true })}>
          Check only
        </Button>
      ) : null}
      <Button
        disabled={toDo !== null}
        loading={submit.isRunning}
        onClick={() => (removedRows.length > 0 ? asked.open('submit') : submit.do({}))}
      >
        {toDo ?? (removedRows.length > 0 ? 'Submit the run …' : 'Submit the run')}
      </Button>
      <Questions draft={draft} asked={asked} submit={submit} remove={remove} />
    </>
  );
}

function Questions(props: {
  draft: Draft;
  asked: AskedAbout<Question>;
  submit: Action<Submitted, unknown>;
  remove: Action<string | null, unknown>;
}): ReactNode {
  const { draft, asked, submit, remove } = props;
  const { fileName, rowCount, removedRows, leftOut } = draft;
  const payments = rowCount - (asked.question === 'leave_out' ? (leftOut?.rows ?? 0) : 0);
  return (
    <>
      <ReasonDialog
        title={`Delete ${fileName}?`}
        verb="Delete the draft"
        reason="none"
        isDangerous
        action={remove}
        isOpen={asked.isOpen('delete')}
        onClose={asked.close}
      >
        <p style={{ margin: 0 }}>
          Its rows, documents and your corrections are gone then. Nothing of it was submitted.
        </p>
      </ReasonDialog>
      <ReasonDialog
        title={`Submit ${counted(payments, 'row')}?`}
        verb={`Submit ${counted(payments, 'row')}`}
        reason="none"
        action={{ ...submit, do: () => submit.do({}) }}
        isOpen={asked.isOpen('submit')}
        onClose={asked.close}
      >
        <Removed rows={removedRows} />
      </ReasonDialog>
      <ReasonDialog
        title={`Submit ${counted(payments, 'row')} without ${counted(leftOut?.rows ?? 0, 'row')}?`}
        verb={`Submit ${counted(payments, 'row')}`}
        reason="none"
        action={{ ...submit, do: () => submit.do({ onInvalid: 'skip' }) }}
        isOpen={asked.isOpen('leave_out')}
        onClose={asked.close}
      >
        {leftOut === null ? null : <LeftOut of={leftOut} />}
        <RepeatedInvoices groups={draft.groups} />
        {removedRows.length === 0 ? null : <Removed rows={removedRows} />}
      </ReasonDialog>
    </>
  );
}

function Removed({ rows }: { rows: readonly number[] }): ReactNode {
  return (
    <p style={{ margin: 0 }}>
      <strong>{counted(rows.length, 'row')} removed</strong>, which {rows.length === 1 ? 'is' : 'are'} in no run:{' '}
      {rowsInWords(rows)}.
    </p>
  );
}

/** Whoever leaves out all that is wrong may want one of two copies to be paid. */
function RepeatedInvoices({ groups }: Pick<Draft, 'groups'>): ReactNode {
  const rows = [...new Set(groups.flatMap(({ sameRowRef }) => sameRowRef.flat()))].sort((one, other) => one - other);
  if (rows.length === 0) return null;
  return (
    <Notice tone="waiting" title="No copy of a repeated invoice is paid">
      {capitalized(rowsInWords(rows))} share their row_ref with another row. To pay the first of each, close this,
      choose “Keep the first” and save.
    </Notice>
  );
}

function LeftOut({ of: { rows, sums, unreadable } }: { of: NonNullable<Draft['leftOut']> }): ReactNode {
  return (
    <div className="stack" style={{ gap: 8 }}>
      <p style={{ margin: 0 }}>
        <strong>{counted(rows, 'row')} with problems</strong> {rows === 1 ? 'is' : 'are'} not paid. They stay in the run
        as invalid, and its exceptions.csv has them, to be corrected and submitted again. They come to:
      </p>
      <ul style={{ margin: 0, paddingLeft: 18 }}>
        {sums.map(({ currency, amount }) => (
          <li key={currency}>
            <Money amount={amount} currency={currency} />
          </li>
        ))}
        {unreadable === 0 ? null : <li>{formatCount(unreadable)} whose amount or currency cannot be read</li>}
      </ul>
    </div>
  );
}
