import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Role, UserSummary } from '../../api/users/user.ts';
import { grantRole, inviteUser, limitUser, removeRole, switchUser } from '../calls/user-calls.ts';
import { Dialog } from '../elements/dialog.tsx';
import { Facts, Failed, Notice } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { InvitationNotice } from './invitation-notice.tsx';
import { ROLE_WORDS } from './role-words.ts';

const CHANGES = [['users'], ['changes'], ['inbox'], ['tokens']];

/** What an administrator changes of a user. What makes somebody mightier takes a second administrator. */
export function UserDialog({ user, onClose }: { user: UserSummary; onClose: () => void }): ReactNode {
  const { userId, name, disabledAt } = user;
  const change = useAction((work: () => Promise<unknown>) => work(), { changes: CHANGES });
  const invite = useAction(() => inviteUser(userId), { changes: CHANGES });
  const invited = invite.answer;
  const error = change.error ?? invite.error;
  return (
    <Dialog title={`Change ${name}`} isOpen onClose={onClose}>
      <Roles user={user} onChange={change.do} />
      <Accounts user={user} onChange={change.do} />
      {error === null ? null : <Failed error={error} />}
      {change.answer === undefined ? null : (
        <Notice tone="moving">Recorded. What takes a second administrator stands under Changes.</Notice>
      )}
      {invited !== undefined && 'invitation' in invited ? <InvitationNotice invitation={invited.invitation} /> : null}
      {invited !== undefined && 'change' in invited ? (
        <Notice tone="waiting">A second administrator confirms the invitation first.</Notice>
      ) : null}
      <div className="row">
        <Button variant="default" loading={invite.isRunning} onClick={() => invite.do(undefined)}>
          Invite again: a link to sign in once
        </Button>
        {disabledAt === null ? (
          <Button color="red" loading={change.isRunning} onClick={() => change.do(() => switchUser(userId, 'disable'))}>
            Disable
          </Button>
        ) : (
          <Button
            variant="default"
            loading={change.isRunning}
            onClick={() => change.do(() => switchUser(userId, 'enable'))}
          >
            Enable
          </Button>
        )}
      </div>
    </Dialog>
  );
}

type OnChange = (work: () => Promise<unknown>) => void;

function Roles({ user, onChange }: { user: UserSummary; onChange: OnChange }): ReactNode {
  const { userId, roles, pendingRoles } = user;
  const actionOf = (role: Role): ReactNode => {
    if (pendingRoles.includes(role)) return 'to be confirmed';
    return roles.includes(role) ? (
      <Button size="compact-sm" variant="default" onClick={() => onChange(() => removeRole(userId, role))}>
        Remove {role}
      </Button>
    ) : (
      <Button size="compact-sm" variant="subtle" onClick={() => onChange(() => grantRole(userId, role))}>
        Grant {role}
      </Button>
    );
  };
  return (
    <Facts
      of={(Object.keys(ROLE_WORDS) as Role[]).map((role) => [
        role,
        <span key={role} className="row spread">
          <span className="muted small">{ROLE_WORDS[role]}</span>
          {actionOf(role)}
        </span>,
      ])}
    />
  );
}

function Accounts({ user, onChange }: { user: UserSummary; onChange: OnChange }): ReactNode {
  const [text, setText] = useState(user.accounts?.join(', ') ?? '');
  const named = text.split(/[\s,]+/).filter((account) => account !== '');
  return (
    <form
      className="row"
      style={{ alignItems: 'end' }}
      onSubmit={(event) => {
        event.preventDefault();
        onChange(() => limitUser(user.userId, named.length === 0 ? null : named));
      }}
    >
      <TextInput
        label="Only these accounts, with commas"
        description="Empty: all."
        style={{ flex: 1 }}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        Set
      </Button>
    </form>
  );
}
