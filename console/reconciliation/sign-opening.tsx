import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { api } from '../calls/api.ts';
import { ReasonDialog } from '../elements/dialog.tsx';
import { useAction } from '../elements/use-action.tsx';

/** The balance is typed, not taken from the page: it is known from elsewhere, or it proves nothing. */
export function SignOpening({ account, onClose }: { account: string; onClose: () => void }): ReactNode {
  const [currency, setCurrency] = useState('');
  const [amount, setAmount] = useState('');
  const given = { currency: currency.trim().toUpperCase(), amount: amount.trim() };
  const sign = useAction(() => api.signOpening({ account, ...given }), { changes: [['days']], then: onClose });
  return (
    <ReasonDialog
      title={`Sign an opening balance of ${account}?`}
      verb="Sign"
      reason="none"
      action={sign}
      isOpen
      isBlocked={given.currency === '' || given.amount === ''}
      onClose={onClose}
    >
      <span>
        The balance before the first entry, where the history does not begin with 0, as you know it from elsewhere: a
        statement of the provider, or your ledger. It is refused unless the history begins with it.
      </span>
      <TextInput
        label="Currency"
        required
        maxLength={3}
        data-autofocus
        value={currency}
        onChange={(event) => setCurrency(event.currentTarget.value)}
      />
      <TextInput
        label="Balance"
        placeholder="1234.50"
        required
        inputMode="decimal"
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
      />
    </ReasonDialog>
  );
}
