import { Button, NumberInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, type ReactNode, useState } from 'react';
import type { TokenSummary } from '../../api/users/token.ts';
import { SecondFactor, wantsSecondFactor } from '../approvals/second-factor.tsx';
import { issueToken, listTokens, revokeToken } from '../calls/user-calls.ts';
import { When } from '../elements/figures.tsx';
import { Loaded } from '../elements/loaded.tsx';
import { Mark } from '../elements/mark.tsx';
import { Blank, Failed, Notice, Section } from '../elements/page.tsx';
import { SecretNotice } from '../elements/secret-notice.tsx';
import { type Column, compareText, Table } from '../elements/table.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useNow } from '../elements/use-now.ts';
import { AdminFrame } from './admin-frame.tsx';

/** Tokens of programs and of the command line. A secret is shown once; only its hash is kept. */
export function TokensPage(): ReactNode {
  const tokens = useQuery({ queryKey: ['tokens'], queryFn: ({ signal }) => listTokens(signal) });
  const revoke = useAction(revokeToken, { changes: [['tokens']] });
  const columns: readonly Column<TokenSummary>[] = [
    {
      name: 'For',
      compare: (one, other) => compareText(one.label, other.label),
      cell: ({ label }) => <strong>{label}</strong>,
    },
    { name: 'Of', compare: (one, other) => compareText(one.name, other.name), cell: ({ name }) => name },
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
      cell: ({ tokenId, revokedAt, label }) =>
        revokedAt === null ? (
          <Button size="compact-sm" variant="default" aria-label={`Revoke ${label}`} onClick={() => revoke.do(tokenId)}>
            Revoke
          </Button>
        ) : null,
    },
  ];
  return (
    <AdminFrame>
      <NewToken />
      {revoke.error === null ? null : <Failed error={revoke.error} />}
      <Loaded query={tokens}>
        {(list) =>
          list.length === 0 ? (
            <Blank title="There are no tokens" />
          ) : (
            <Table label="Tokens" rows={validFirst(list)} columns={columns} keyOf={({ tokenId }) => tokenId} />
          )
        }
      </Loaded>
    </AdminFrame>
  );
}

const MOST_DAYS = 730;

function NewToken(): ReactNode {
  const [label, setLabel] = useState('');
  const [days, setDays] = useState<string | number>(90);
  const issue = useAction(issueToken, { changes: [['tokens']], then: () => setLabel('') });
  const create = (): void => issue.do({ label: label.trim(), validDays: Number(days) });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    create();
  };
  return (
    <Section title="A token of your own">
      <div className="stack">
        <form className="stack" onSubmit={submit}>
          <div className="row" style={{ alignItems: 'end' }}>
            <TextInput
              label="What it is for"
              maxLength={100}
              value={label}
              onChange={(event) => setLabel(event.currentTarget.value)}
            />
            <NumberInput label="Valid for, days" w={130} min={1} max={MOST_DAYS} value={days} onChange={setDays} />
            <Button type="submit" variant="default" loading={issue.isRunning} disabled={label.trim() === ''}>
              Create
            </Button>
          </div>
        </form>
        {wantsSecondFactor(issue.error) ? (
          <Notice tone="waiting" title="Show your second factor to create the token">
            <SecondFactor subject={{ kind: 'sign_in' }} onShown={create} />
          </Notice>
        ) : issue.error === null ? null : (
          <Failed error={issue.error} />
        )}
        {issue.answer === undefined ? null : <SecretNotice title="The token" secret={issue.answer.token} />}
      </div>
    </Section>
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
