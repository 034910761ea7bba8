import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { api } from '../calls/api.ts';
import { ReasonDialog } from '../elements/dialog.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useMay } from '../shell/session.tsx';

/** Beside what a person wrote, for whoever may erase it. `remarkId` as the database has it; nothing without one. */
export function EraseRemark({ remarkId, text }: { remarkId: unknown; text: string }): ReactNode {
  const mayErase = useMay('erase_remark');
  const [isAsking, setAsking] = useState(false);
  if (!mayErase || typeof remarkId !== 'string') return null;
  return (
    <>
      <Button size="compact-xs" variant="default" className="no-print" onClick={() => setAsking(true)}>
        Erase …
      </Button>
      {isAsking ? <EraseDialog remarkId={remarkId} text={text} onClose={() => setAsking(false)} /> : null}
    </>
  );
}

function EraseDialog(props: { remarkId: string; text: string; onClose: () => void }): ReactNode {
  const { remarkId, text, onClose } = props;
  const erase = useAction(() => api.eraseRemark({ remarkId }), {
    changes: [['audit'], ['run'], ['case'], ['days'], ['changes'], ['inbox']],
    then: onClose,
  });
  return (
    <ReasonDialog
      title="Erase these words?"
      verb="Propose it"
      reason="none"
      isDangerous
      action={erase}
      isOpen
      onClose={onClose}
    >
      <span>“{text}”</span>
      <span>
        A second administrator confirms it. Then nobody reads them again, here or with the decision that they belong to.
        The audit trail keeps a hash of them. This cannot be undone.
      </span>
    </ReasonDialog>
  );
}
