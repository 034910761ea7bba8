import { Checkbox, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Beneficiary, BeneficiaryAccount, BookPage } from '../../api/beneficiaries/endpoints.ts';
import { ReasonDialog } from '../elements/dialog.tsx';
import { OldBesideNew } from '../elements/old-beside-new.tsx';
import { Notice } from '../elements/page.tsx';
import { inOrder, labelOf } from './beneficiary-words.ts';
import { useConfirmAccounts } from './use-confirm-accounts.ts';

const NOBODY = { person: '', number: '', numberFrom: '' };

/** A second person confirms an account as they see it, beside the one that was known, and says how they know that it is theirs. */
export function ConfirmDialog(props: {
  of: BeneficiaryAccount;
  beneficiary: Beneficiary;
  page: BookPage;
  onClose: () => void;
}): ReactNode {
  const { of, beneficiary, page, onClose } = props;
  const { account } = page;
  const [isCalled, setCalled] = useState(true);
  const [called, setCall] = useState(NOBODY);
  const confirm = useConfirmAccounts(account, { seen: [of], called: isCalled ? called : null }, onClose);
  const field = (name: keyof typeof NOBODY, label: string, description?: string): ReactNode => (
    <TextInput
      label={label}
      description={description}
      required
      data-autofocus={name === 'person' ? true : undefined}
      value={called[name]}
      onChange={(event) => {
        const { value } = event.currentTarget;
        setCall((before) => ({ ...before, [name]: value }));
      }}
    />
  );
  return (
    <ReasonDialog
      title="Is this the account of the beneficiary?"
      verb="Confirm the account"
      reason="required"
      reasonLabel="What was compared, and with what"
      action={confirm}
      isOpen
      isBlocked={isCalled && Object.values(called).some((text) => text.trim() === '')}
      onClose={onClose}
    >
      <Compared of={of} known={knownBefore(of, beneficiary)} />
      {of.isChange ? (
        <Notice tone="waiting" title="This beneficiary had another account">
          Call them at a number that you knew before: never one from the message that told of the new account.
        </Notice>
      ) : (
        <Checkbox
          label="Somebody was called"
          checked={isCalled}
          onChange={(event) => setCalled(event.currentTarget.checked)}
        />
      )}
      {isCalled ? (
        <>
          {field('person', 'Whom you called')}
          {field('number', 'At which number')}
          {field('numberFrom', 'Where the number was known from before', 'The contract of 2024, for example.')}
        </>
      ) : null}
    </ReasonDialog>
  );
}

/** The newest confirmed account of the currency, else of any. */
function knownBefore(of: BeneficiaryAccount, { accounts }: Beneficiary): BeneficiaryAccount | null {
  const confirmed = accounts.filter(({ id, confirmedBy }) => id !== of.id && confirmedBy !== null);
  return confirmed.find(({ currency }) => currency === of.currency) ?? confirmed[0] ?? null;
}

/** All that the account says, beside what was known. */
function Compared({ of, known }: { of: BeneficiaryAccount; known: BeneficiaryAccount | null }): ReactNode {
  const to = of.columns ?? {};
  const from = known?.columns ?? null;
  const names = inOrder([...new Set([...Object.keys(to), ...Object.keys(from ?? {})])]);
  return (
    <OldBesideNew
      label="The account that is confirmed"
      what={null}
      oldName={from === null ? null : 'Confirmed before'}
      newName="To be confirmed"
      rows={names.map((name) => ({ name: labelOf(name), old: from?.[name] ?? null, new: to[name] ?? null }))}
    />
  );
}
