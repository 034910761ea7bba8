import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Beneficiary, BeneficiaryAccount, BookPage } from '../../api/beneficiaries/endpoints.ts';
import { BENEFICIARY_ACCOUNT_STATE_TABLE } from '../../domain/beneficiaries/beneficiary-account-state.ts';
import { api } from '../calls/api.ts';
import { ChangedMeanwhile } from '../elements/changed-meanwhile.tsx';
import { ReasonDialog } from '../elements/dialog.tsx';
import { Facts, Notice } from '../elements/page.tsx';
import { StateText } from '../elements/state-text.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAskedAbout } from '../elements/use-asked-about.ts';
import { When } from '../elements/values.tsx';
import { useMay, useSession } from '../shell/session.tsx';
import { AccountStateMark } from './account-states.tsx';
import { inOrder, labelOf, numberOf } from './beneficiary-words.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface Shown {
  of: BeneficiaryAccount;
  beneficiary: Beneficiary;
  page: BookPage;
}

/** One account of a beneficiary: what it says, who added and confirmed it and how, and what may be done with it. */
export function AccountCard({ of, beneficiary, page }: Shown): ReactNode {
  const { columns, state } = of;
  const name = `${of.currency} ${numberOf(of)}`;
  return (
    <section className="card stack" aria-label={name}>
      <div className="row spread">
        <span className="row">
          <strong className="numbers">{name}</strong>
          <AccountStateMark state={state} />
        </span>
        <AccountActions {...{ of, beneficiary, page }} />
      </div>
      {columns === null ? (
        <Notice tone="failed" title="This account cannot be read">
          What is stored of it is damaged, or was changed beside payrun: no row is filled from it. Tell whoever operates
          payrun.
        </Notice>
      ) : (
        <Facts of={inOrder(Object.keys(columns)).map((column) => [labelOf(column), columns[column]])} />
      )}
      <People of={of} />
      {state === 'proposed' ? (
        <p className="muted small" style={{ margin: 0 }}>
          {of.objection === null ? <StateText of={BENEFICIARY_ACCOUNT_STATE_TABLE.proposed} /> : sentence(of.objection)}
        </p>
      ) : null}
    </section>
  );
}

function sentence(text: string): string {
  return `You cannot confirm it: ${text}.`;
}

function People({ of }: { of: BeneficiaryAccount }): ReactNode {
  const { addedBy, addedAt, source, confirmedBy, confirmedAt, confirmation, endedBy, endedAt, state } = of;
  const called = confirmation?.called ?? null;
  return (
    <Facts
      of={[
        [
          'Added',
          <span key="a">
            by {addedBy.name} {source === 'import' ? 'from a file' : 'by hand'}, <When at={addedAt} />
          </span>,
        ],
        confirmedBy === null
          ? null
          : [
              'Confirmed',
              <span key="c">
                by {confirmedBy.name}, <When at={confirmedAt} />
              </span>,
            ],
        confirmation === null
          ? null
          : [
              'How',
              called === null
                ? `Nobody was called. “${confirmation.note}”`
                : `${called.person} was called at ${called.number}, known from ${called.numberFrom}. “${confirmation.note}”`,
            ],
        endedBy === null
          ? null
          : [
              state === 'rejected' ? 'Rejected' : 'Ended',
              <span key="e">
                by {endedBy.name}, <When at={endedAt} />
              </span>,
            ],
      ]}
    />
  );
}

function AccountActions({ of, beneficiary, page }: Shown): ReactNode {
  const { user } = useSession();
  const mayConfirm = useMay('decide_run');
  const mayEdit = useMay('edit_beneficiaries');
  const asked = useAskedAbout<'confirm' | 'end'>([of.id, of.hash, of.state].join(' '));
  const { question, close } = asked;
  const isProposed = of.state === 'proposed';
  const isMine = of.addedBy.userId === user.userId;
  const mayEnd = mayEdit && of.endedAt === null && (!isProposed || isMine || mayConfirm);
  return (
    <>
      <ChangedMeanwhile what="This account" asked={asked} />
      <span className="row no-print">
        {isProposed && mayConfirm && of.objection === null && of.columns !== null ? (
          <Button onClick={() => asked.open('confirm')}>Confirm …</Button>
        ) : null}
        {mayEnd ? (
          <Button variant="default" onClick={() => asked.open('end')}>
            {isProposed ? (isMine ? 'Take back …' : 'Reject …') : 'End …'}
          </Button>
        ) : null}
      </span>
      {question === 'confirm' ? <ConfirmDialog {...{ of, beneficiary, page }} onClose={close} /> : null}
      {question === 'end' ? <EndDialog {...{ of, page }} onClose={close} /> : null}
    </>
  );
}

function EndDialog({ of, page, onClose }: Omit<Shown, 'beneficiary'> & { onClose: () => void }): ReactNode {
  const { account } = page;
  const isProposed = of.state === 'proposed';
  const end = useAction((reason: string | null) => api.endBeneficiaries({ account, ids: [of.id], reason }), {
    changes: [['beneficiary', account], ['beneficiaries'], ['inbox']],
    then: onClose,
  });
  return (
    <ReasonDialog
      title={isProposed ? 'Reject this account?' : 'End this account?'}
      verb={isProposed ? 'Reject it' : 'End it'}
      reason="optional"
      reasonLabel="Reason, which others see (optional)"
      action={end}
      isDangerous
      isOpen
      onClose={onClose}
    >
      <p style={{ margin: 0 }}>
        {isProposed
          ? 'It is not confirmed, and rows that pay it stay held. It can be added again.'
          : 'No row is filled from it from now on, and rows that pay it are held. What was approved before is paid: stop its run to keep it from being paid.'}
      </p>
    </ReasonDialog>
  );
}
