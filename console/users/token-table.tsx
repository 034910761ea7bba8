import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { TokenSummary } from '../../api/users/token.ts';
import { api } from '../calls/api.ts';
import { ChangedMeanwhile } from '../elements/changed-meanwhile.tsx';
import { ReasonDialog } from '../elements/dialog.tsx';
import { When } from '../elements/values.tsx';
import { Loaded } from '../elements/loaded.tsx';
import { Mark } from '../elements/mark.tsx';
import { Blank, Facts } from '../elements/page.tsx';
import { type Column, compareText, Table } from '../elements/table.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAskedRow } from '../elements/use-asked-row.ts';
import { useNow } from '../elements/use-now.ts';

const USER: Column<TokenSummary> = {
  name: 'Of',
  compare: (one, other) => compareText(one.name, other.name),
  cell: ({ name }) => name,
};

/** One's own tokens, or those of everybody. */
export function TokenTable({ whose }: { whose: 'own' | 'all' }): ReactNode {
  const tokens = useQuery({
    queryKey: ['tokens', whose],
    queryFn: async ({ signal }) => (await api.listTokens({ own: whose === 'own' }, { signal })).tokens,
  });
  const { asked, open, close, hasChanged } = useAskedRow<TokenSummary, 'revoke'>(({ tokenId }) =>
    String(tokens.data?.find((each) => each.tokenId === tokenId)?.revokedAt ?? null),
  );
  const columns: readonly Column<TokenSummary>[] = [
    {
      name: 'For',
      compare: (one, other) => compareText(one.label, other.label),
      cell: ({ label }) => <strong>{label}</strong>,
    },
    ...(whose === 'all' ? [USER] : []),
    { name: 'May', cell: ({ scopes }) => scopes.join(', ') },
    {
      name: 'State',
      cell: ({ revokedAt, expiresAt }) =>
        revokedAt === null ? <Validity expiresAt={expiresAt} /> : <Mark tone="neutral">revoked</Mark>,
    },
    { name: 'Created', align: 'right', isWideOnly: true, cell: ({ createdAt }) => <When at={createdAt} /> },
    { name: 'Used', align: 'right', cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
    {
      name: '',
      align: 'right',
      cell: (token) =>
        token.revokedAt === null ? (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Revoke ${token.label}`}
            onClick={() => open('revoke', token)}
          >
            Revoke …
          </Button>
        ) : null,
    },
  ];
  return (
    <div className="stack">
      <ChangedMeanwhile what="The token" asked={{ hasChanged, close }} />
      <Loaded query={tokens}>
        {(list) =>
          list.length === 0 ? (
            <Blank title="There are no tokens">
              <p>Programs and the command line sign in with one. Each user creates their own under their account.</p>
            </Blank>
          ) : (
            <Table label="Tokens" rows={validFirst(list)} columns={columns} keyOf={({ tokenId }) => tokenId} />
          )
        }
      </Loaded>
      {asked === null ? null : <RevokeDialog token={asked.row} onClose={close} />}
    </div>
  );
}

function RevokeDialog({ token, onClose }: { token: TokenSummary; onClose: () => void }): ReactNode {
  const { tokenId, label, name, scopes, lastUsedAt } = token;
  const revoke = useAction(() => api.revokeToken({ tokenId }), { changes: [['tokens']], then: onClose });
  return (
    <ReasonDialog
      title="Revoke this token?"
      verb={`Revoke ${label}`}
      reason="none"
      isDangerous
      action={revoke}
      isOpen
      onClose={onClose}
    >
      <Facts
        of={[
          ['For', label],
          ['Of', name],
          ['May', scopes.join(', ')],
          ['Used', <When key="used" at={lastUsedAt} />],
        ]}
      />
      <p style={{ margin: 0 }}>
        Programs that use it are refused from now on, and so are those with tokens that were made with it. It cannot be
        taken back: a new token has to be given to them.
      </p>
    </ReasonDialog>
  );
}

function Validity({ expiresAt }: { expiresAt: string | null }): ReactNode {
  const now = useNow(60_000);
  if (expiresAt === null) return 'valid';
  if (Date.parse(expiresAt) <= now) return <Mark tone="neutral">expired</Mark>;
  return (
    <span>
      valid until <When at={expiresAt} />
    </span>
  );
}

function validFirst(tokens: readonly TokenSummary[]): TokenSummary[] {
  return tokens.toSorted((one, other) => Number(one.revokedAt !== null) - Number(other.revokedAt !== null));
}
