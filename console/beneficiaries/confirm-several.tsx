import { Button, Checkbox } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Beneficiary, BeneficiaryAccount } from '../../api/beneficiaries/endpoints.ts';
import { ReasonDialog } from '../elements/dialog.tsx';
import { counted } from '../elements/formats.ts';
import { Table } from '../elements/table.tsx';
import { useMay, useSession } from '../shell/session.tsx';
import { inOrder, labelOf, numberOf } from './beneficiary-words.ts';
import { useConfirmAccounts } from './use-confirm-accounts.ts';

interface First {
  beneficiary: Beneficiary;
  of: BeneficiaryAccount;
}

/**
 * Confirms first accounts of several beneficiaries in one act, as after the import of a list. An account in place of another one is
 * confirmed on its own page, beside the one that was known.
 */
export function ConfirmSeveral(props: { account: string; beneficiaries: readonly Beneficiary[] }): ReactNode {
  const { account, beneficiaries } = props;
  const { user } = useSession();
  const [isOpen, setOpen] = useState(false);
  const mayConfirm = useMay('decide_run');
  const firsts = beneficiaries.flatMap((beneficiary) =>
    beneficiary.accounts
      .filter(
        ({ state, isChange, columns, addedBy }) =>
          state === 'proposed' && !isChange && columns !== null && addedBy.userId !== user.userId,
      )
      .map((of) => ({ beneficiary, of })),
  );
  if (!mayConfirm || firsts.length < 2) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>Confirm several …</Button>
      {isOpen ? <SeveralDialog account={account} firsts={firsts} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function SeveralDialog(props: { account: string; firsts: readonly First[]; onClose: () => void }): ReactNode {
  const { account, onClose } = props;
  // As they were shown when the dialog was opened: the list is read again behind it.
  const [firsts] = useState(props.firsts);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const seen = firsts.map(({ of }) => of).filter(({ id }) => chosen.has(id));
  const confirm = useConfirmAccounts(account, { seen, called: null }, onClose);
  const choose = (ids: readonly string[], isChosen: boolean): void =>
    setChosen((before) => new Set(isChosen ? [...before, ...ids] : [...before].filter((id) => !ids.includes(id))));
  return (
    <ReasonDialog
      title="Are these the accounts of the beneficiaries?"
      verb={seen.length === 0 ? 'Confirm them' : `Confirm ${counted(seen.length, 'account')}`}
      reason="required"
      reasonLabel="What was compared, and with what"
      action={confirm}
      isOpen
      isBlocked={seen.length === 0}
      onClose={onClose}
    >
      <p style={{ margin: 0 }}>
        First accounts of beneficiaries, added by others. An account in place of another one is confirmed on the page of
        its beneficiary, with a call.
      </p>
      <Checkbox
        label={`All ${firsts.length}`}
        checked={seen.length === firsts.length}
        indeterminate={seen.length > 0 && seen.length < firsts.length}
        onChange={(event) =>
          choose(
            firsts.map(({ of }) => of.id),
            event.currentTarget.checked,
          )
        }
      />
      <Table
        label="Accounts to confirm"
        rows={firsts}
        keyOf={({ of }) => of.id}
        columns={[
          {
            name: 'Key and account',
            cell: ({ beneficiary, of }) => (
              <Checkbox
                label={`${beneficiary.key}: ${of.currency} ${numberOf(of)}`}
                checked={chosen.has(of.id)}
                onChange={(event) => choose([of.id], event.currentTarget.checked)}
              />
            ),
          },
          { name: 'What it says', cell: ({ of }) => <Said of={of} /> },
          { name: 'Added by', cell: ({ of }) => of.addedBy.name },
        ]}
      />
    </ReasonDialog>
  );
}

function Said({ of: { columns } }: { of: BeneficiaryAccount }): ReactNode {
  return (
    <div className="small" style={{ overflowWrap: 'anywhere' }}>
      {inOrder(Object.keys(columns ?? {})).map((column) => (
        <span key={column}>
          <span className="muted">{labelOf(column)}</span> {columns?.[column]}
          {'; '}
        </span>
      ))}
    </div>
  );
}
