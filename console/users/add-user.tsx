import { Button, Checkbox, TextInput } from '@mantine/core';
import { type SubmitEvent, type ReactNode, useState } from 'react';
import type { AddedUser, Role, UserRequest } from '../../api/users/user.ts';
import { api } from '../calls/api.ts';
import { Dialog } from '../elements/dialog.tsx';
import { When } from '../elements/values.tsx';
import { Failed, Notice } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { InvitationNotice } from './invitation-notice.tsx';
import { MailedNotice } from './mailed-notice.tsx';
import { ROLE_WORDS } from './role-words.ts';

export function AddUser({ onClose }: { onClose: () => void }): ReactNode {
  const [login, setLogin] = useState('');
  const [name, setName] = useState('');
  const [mail, setMail] = useState('');
  const [roles, setRoles] = useState<string[]>([]);
  const add = useAction((added: UserRequest) => api.addUser(added), { changes: [['users'], ['changes'], ['inbox']] });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    add.do({
      login: login.trim(),
      name: name.trim(),
      roles: roles as Role[],
      mail: mail.trim() === '' ? null : mail.trim(),
    });
  };
  return (
    <Dialog title="Add a user" isOpen onClose={onClose}>
      {add.answer === undefined ? (
        <form className="stack" onSubmit={submit}>
          <TextInput label="Name" required value={name} onChange={(event) => setName(event.currentTarget.value)} />
          <TextInput
            label="Signs in as"
            description="Lower-case letters, digits and . _ @ + -"
            required
            autoCapitalize="none"
            value={login}
            onChange={(event) => setLogin(event.currentTarget.value)}
          />
          <TextInput
            label="Mail address"
            description="Where codes to sign in go. Needed where this payrun sends mails."
            type="email"
            value={mail}
            onChange={(event) => setMail(event.currentTarget.value)}
          />
          <Checkbox.Group label="Roles" value={roles} onChange={setRoles}>
            <div className="stack" style={{ gap: 6, marginTop: 6 }}>
              {Object.entries(ROLE_WORDS).map(([role, words]) => (
                <Checkbox key={role} value={role} label={role} description={words} />
              ))}
            </div>
          </Checkbox.Group>
          {add.error === null ? null : <Failed error={add.error} />}
          <div>
            <Button type="submit" loading={add.isRunning} disabled={roles.length === 0 || login === '' || name === ''}>
              Add them
            </Button>
          </div>
        </form>
      ) : (
        <Added answer={add.answer} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Added({ answer, onClose }: { answer: AddedUser; onClose: () => void }): ReactNode {
  const waits = answer.change ?? answer.invitationChange;
  return (
    <>
      {answer.invitation === null ? null : <InvitationNotice invitation={answer.invitation} />}
      {answer.mailed === null ? null : <MailedNotice mailed={answer.mailed} />}
      {waits === null ? null : (
        <Notice tone="waiting" title="A second administrator confirms it">
          {waits.takesEffectAt === null ? (
            'It takes no effect before.'
          ) : (
            <>
              Or it takes effect on <When at={waits.takesEffectAt} />, unless somebody objects.
            </>
          )}{' '}
          Invite them then.
        </Notice>
      )}
      <div>
        <Button onClick={onClose}>Done</Button>
      </div>
    </>
  );
}
