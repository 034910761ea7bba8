import { Button } from '@mantine/core';
import { Navigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { UserSummary } from '../../api/users/user.ts';
import { When } from '../elements/values.tsx';
import { Loaded } from '../elements/loaded.tsx';
import { Mark } from '../elements/mark.tsx';
import { type Column, compareText, Table } from '../elements/table.tsx';
import { useMay } from '../shell/session.tsx';
import { AddUser } from './add-user.tsx';
import { AdminFrame } from './admin-frame.tsx';
import { useUsers } from './use-users.ts';
import { UserDialog } from './user-dialog.tsx';

/** Who may do what. Whoever may not read that is led to what they may read of the administration. */
export function UsersPage(): ReactNode {
  return useMay('read_audit') ? <Users /> : <Navigate to="/admin/policy" replace />;
}

function Users(): ReactNode {
  const mayManage = useMay('manage_users');
  const [isAdding, setAdding] = useState(false);
  const [openId, setOpenId] = useState<string | null>(null);
  const users = useUsers();
  const opened = users.data?.find(({ userId }) => userId === openId);
  const columns: readonly Column<UserSummary>[] = [
    {
      name: 'Name',
      compare: (one, other) => compareText(one.name, other.name),
      cell: ({ name, login, disabledAt }) => (
        <>
          <strong>{name}</strong>
          {disabledAt === null ? null : <span className="muted"> · disabled</span>}
          <div className="muted small">{login ?? 'cannot sign in yet'}</div>
        </>
      ),
    },
    {
      name: 'Roles',
      cell: ({ roles, pendingRoles }) => (
        <>
          {roles.length === 0 ? <span className="muted">none</span> : roles.join(', ')}
          {pendingRoles.length === 0 ? null : <Mark tone="waiting">{pendingRoles.join(', ')}: to be confirmed</Mark>}
        </>
      ),
    },
    { name: 'Accounts', cell: ({ accounts }) => accounts?.join(', ') ?? 'all' },
    { name: 'Last seen', align: 'right', cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
    ...(mayManage
      ? [
          {
            name: '',
            align: 'right',
            cell: ({ userId, name }) => (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Change ${name}`}
                onClick={() => setOpenId(userId)}
              >
                Change …
              </Button>
            ),
          } satisfies Column<UserSummary>,
        ]
      : []),
  ];
  return (
    <AdminFrame>
      {mayManage ? (
        <div>
          <Button onClick={() => setAdding(true)}>Add a user …</Button>
        </div>
      ) : null}
      <Loaded query={users}>
        {(list) => <Table label="Users" rows={list} columns={columns} keyOf={({ userId }) => userId} />}
      </Loaded>
      {isAdding ? <AddUser onClose={() => setAdding(false)} /> : null}
      {opened === undefined ? null : <UserDialog user={opened} onClose={() => setOpenId(null)} />}
    </AdminFrame>
  );
}
