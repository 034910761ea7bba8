import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Role, UserSummary } from '../../api/users/user.ts';
import { api } from '../calls/api.ts';
import { ChangedMeanwhile } from '../elements/changed-meanwhile.tsx';
import { Dialog, ReasonDialog } from '../elements/dialog.tsx';
import { Facts, Failed, Notice } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAskedRow } from '../elements/use-asked-row.ts';
import { InvitationNotice } from './invitation-notice.tsx';
import { MailedNotice } from './mailed-notice.tsx';
import { ROLE_WORDS } from './role-words.ts';

const CHANGES = [['users'], ['changes'], ['inbox'], ['tokens']];

/** What an administrator changes of a user. What makes somebody mightier takes a second administrator. */
export function UserDialog({ user, onClose }: { user: UserSummary; onClose: () => void }): ReactNode {
  const { userId, name, disabledAt } = user;
  const change = useAction((work: () => Promise<unknown>) => work(), { changes: CHANGES });
  const invite = useAction(() => api.inviteUser({ userId }), { changes: CHANGES });
  const invited = invite.answer;
  const error = change.error ?? invite.error;
  // What is asked for is about the roles that were shown.
  const removal = useAskedRow<Removal, 'remove'>(() => JSON.stringify([user.roles, disabledAt]));
  if (removal.asked !== null) return <RemovalDialog user={user} of={removal.asked.row} onClose={removal.close} />;
  return (
    <Dialog title={`Change ${name}`} isOpen onClose={onClose}>
      <ChangedMeanwhile what={name} asked={removal} />
      <Roles user={user} onChange={change.do} onRemove={(role) => removal.open('remove', role)} />
      <Accounts user={user} onChange={change.do} />
      <Mail user={user} onChange={change.do} />
      {error === null ? null : <Failed error={error} />}
      {change.answer === undefined ? null : (
        <Notice tone="moving">Recorded. What takes a second administrator stands under Changes.</Notice>
      )}
      {invited !== undefined && 'invitation' in invited ? <InvitationNotice invitation={invited.invitation} /> : null}
      {invited !== undefined && 'mailed' in invited ? <MailedNotice mailed={invited.mailed} /> : null}
      {invited !== undefined && 'change' in invited ? (
        <Notice tone="waiting">A second administrator confirms the invitation first.</Notice>
      ) : null}
      <div className="row">
        <Button variant="default" loading={invite.isRunning} onClick={() => invite.do(undefined)}>
          Invite again: a code to sign in once
        </Button>
        {disabledAt === null ? (
          <Button color="red" disabled={change.isRunning} onClick={() => removal.open('remove', 'everything')}>
            Disable …
          </Button>
        ) : (
          <Button
            variant="default"
            loading={change.isRunning}
            onClick={() => change.do(() => api.enableUser({ userId }))}
          >
            Enable
          </Button>
        )}
      </div>
    </Dialog>
  );
}

/** What is taken from a user: a role, or all that they have. */
type Removal = Role | 'everything';

/** In the place of the dialog of the user, which is there again afterwards. */
function RemovalDialog(props: { user: UserSummary; of: Removal; onClose: () => void }): ReactNode {
  const { of, onClose } = props;
  const { userId, name, login, roles } = props.user;
  const remove = useAction(
    () => (of === 'everything' ? api.disableUser({ userId }) : api.removeRole({ userId, role: of })),
    {
      changes: CHANGES,
      then: onClose,
    },
  );
  return (
    <ReasonDialog
      title={of === 'everything' ? `Disable ${name}?` : `Remove a role of ${name}?`}
      verb={of === 'everything' ? `Disable ${name}` : `Remove ${of}`}
      reason="none"
      isDangerous
      action={remove}
      isOpen
      onClose={onClose}
    >
      <Facts
        of={[
          ['User', name],
          ['Signs in as', login],
          ['Roles', roles.length === 0 ? 'none' : roles.join(', ')],
        ]}
      />
      <p style={{ margin: 0 }}>
        {of === 'everything'
          ? 'Of somebody who decides on something, a second administrator confirms it first. Then their sessions end, their tokens are revoked, and their password, second factors and ' +
            'invitations are deleted: programs that use their tokens stop, and what is deleted does not come back when they ' +
            'are enabled again. Approvals that they gave to what still waits do not count any more.'
          : 'A second administrator confirms it first, if the role decides on something. Then their sessions end. What they gave in this role to something that still waits, such ' +
            'as an approval, does not count any more. To grant the role again may take a second administrator.'}
      </p>
    </ReasonDialog>
  );
}

type OnChange = (work: () => Promise<unknown>) => void;

function Roles(props: { user: UserSummary; onChange: OnChange; onRemove: (role: Role) => void }): ReactNode {
  const { user, onChange, onRemove } = props;
  const { userId, roles, pendingRoles } = user;
  const actionOf = (role: Role): ReactNode => {
    if (pendingRoles.includes(role)) return 'to be confirmed';
    return roles.includes(role) ? (
      <Button size="compact-sm" variant="default" onClick={() => onRemove(role)}>
        Remove {role} …
      </Button>
    ) : (
      <Button
        size="compact-sm"
        variant="subtle"
        onClick={() => onChange(() => api.grantRoles({ userId, roles: [role] }))}
      >
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

function Mail({ user, onChange }: { user: UserSummary; onChange: OnChange }): ReactNode {
  const [mail, setMail] = useState(user.mail ?? '');
  return (
    <form
      className="row"
      style={{ alignItems: 'end' }}
      onSubmit={(event) => {
        event.preventDefault();
        onChange(() => api.setMail({ userId: user.userId, mail: mail.trim() }));
      }}
    >
      <TextInput
        label="Mail address for codes"
        description="A second administrator confirms another one."
        type="email"
        style={{ flex: 1 }}
        value={mail}
        onChange={(event) => setMail(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" disabled={mail.trim() === ''}>
        Propose
      </Button>
    </form>
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
        onChange(() => api.limitUser({ userId: user.userId, accounts: named.length === 0 ? null : named }));
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
