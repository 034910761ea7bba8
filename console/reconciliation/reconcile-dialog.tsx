import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { api } from '../calls/api.ts';
import { ReasonDialog } from '../elements/dialog.tsx';
import { Notice } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';

/** Has a day, or some days, compared with the history again. */
export function ReconcileDialog({ account, onClose }: { account: string; onClose: () => void }): ReactNode {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const orNull = (day: string): string | null => (day === '' ? null : day);
  const ask = useAction(() => api.askForReconciliation({ account, from: orNull(from), to: orNull(to) }), {
    changes: [['days'], ['reconciling', account]],
    then: ({ isUnderWay }) => {
      if (!isUnderWay) onClose();
    },
  });
  return (
    <ReasonDialog title={`Reconcile ${account}?`} verb="Reconcile" reason="none" action={ask} isOpen onClose={onClose}>
      <span>
        Without a first day it is done for those that were not reconciled yet. Days after the first one that are not
        closed are done again as well, as each begins with what the one before left open.
      </span>
      <TextInput
        type="date"
        label="First day (UTC)"
        data-autofocus
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label="Last day (UTC); without it, yesterday"
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      {ask.answer?.isUnderWay === true ? (
        <Notice tone="waiting" title="Another reconciliation of the account is under way">
          These days were not asked for. Ask again after it.
        </Notice>
      ) : null}
    </ReasonDialog>
  );
}
