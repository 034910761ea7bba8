import { Autocomplete } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { BreakSummary } from '../../api/reconciliation/break.ts';
import { api } from '../calls/api.ts';
import { ReasonDialog } from '../elements/dialog.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useMay, useSession } from '../shell/session.tsx';
import { useUsers } from '../users/use-users.ts';

/** Who is to find out about a difference. Who may not read the list of users gives the login of a colleague. */
export function AssignBreak({ of, onClose }: { of: BreakSummary; onClose: () => void }): ReactNode {
  const { user } = useSession();
  const mayList = useMay('read_audit');
  const users = useUsers(mayList);
  const [login, setLogin] = useState(user.login ?? '');
  const assign = useAction(() => api.assignBreak({ breakId: of.breakId, login: login.trim() }), {
    changes: [['days'], ['inbox']],
    then: onClose,
  });
  const known = users.data?.filter(({ disabledAt }) => disabledAt === null).flatMap((each) => each.login ?? []) ?? [];
  return (
    <ReasonDialog
      title="Who looks after the difference?"
      verb="Assign"
      reason="none"
      action={assign}
      isOpen
      isBlocked={login.trim() === ''}
      onClose={onClose}
    >
      <span>{of.reason}</span>
      <Autocomplete label="Login of a maker or checker" required data={known} value={login} onChange={setLogin} />
    </ReasonDialog>
  );
}
