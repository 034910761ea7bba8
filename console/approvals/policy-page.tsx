import { Button, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ApprovalPolicy } from '../../api/approvals/policy.ts';
import { readPolicy, setPolicy } from '../calls/approval-calls.ts';
import { formatAmount, inWords } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Facts, Failed, Notice, Section } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useMay } from '../shell/session.tsx';
import { PolicyQuestion } from './policy-question.tsx';
import { AdminFrame } from '../users/admin-frame.tsx';

type Rule = ApprovalPolicy['rules'][number];

const COLUMNS: readonly Column<Rule>[] = [
  { name: 'Rule', cell: ({ name }) => <strong>{name}</strong> },
  { name: 'When', cell: ({ when }) => conditionsInWords(when) },
  {
    name: 'Approvals, in this order',
    cell: ({ steps }) =>
      steps.map((step) => ('role' in step ? `a ${step.role}` : step.logins.join(' or '))).join(', then '),
  },
];

function conditionsInWords(when: Rule['when']): string {
  const parts = Object.entries(when).map(([name, value]) => {
    if (Array.isArray(value)) return `${inWords(name)} ${value.join(', ')}`;
    if (name === 'totalAtLeast') return `the total is at least ${formatAmount(String(value))}`;
    if (name === 'largestAtLeast') return `the largest row is at least ${formatAmount(String(value))}`;
    return name === 'newBeneficiary' ? 'an account is paid for the first time' : `${inWords(name)} ${String(value)}`;
  });
  return parts.length === 0 ? 'always' : parts.join(', and ');
}

/** Which approvals runs need: the first rule that fits applies, for each currency of a run. */
export function PolicyPage(): ReactNode {
  const policy = useQuery({ queryKey: ['policy'], queryFn: ({ signal }) => readPolicy(signal) });
  return (
    <AdminFrame>
      <Loaded query={policy}>
        {(found) => (
          <>
            <Section title="Rules">
              <Table label="Rules" rows={found.rules} columns={COLUMNS} keyOf={({ name }) => name} />
              <p className="muted">
                The first rule that fits applies, for each currency of a run. Nobody approves their own run, and each
                person counts once.
              </p>
            </Section>
            <PolicyQuestion />
            <Section title="Changes of users and of this policy">
              <Facts
                of={[
                  [
                    'Without a second administrator',
                    found.changes.delayHours === null
                      ? 'they never take effect'
                      : `they take effect after ${found.changes.delayHours} hours, unless somebody objects`,
                  ],
                ]}
              />
            </Section>
            <Edit policy={found} />
          </>
        )}
      </Loaded>
    </AdminFrame>
  );
}

function Edit({ policy }: { policy: ApprovalPolicy }): ReactNode {
  const mayManage = useMay('manage_users');
  const [text, setText] = useState<string | null>(null);
  const [isWrong, setWrong] = useState(false);
  const set = useAction(setPolicy, { changes: [['policy'], ['changes'], ['inbox']] });
  if (!mayManage) return null;
  if (text === null) {
    return (
      <div>
        <Button variant="default" onClick={() => setText(JSON.stringify(policy, null, 2))}>
          Change the policy …
        </Button>
      </div>
    );
  }
  const propose = (): void => {
    const parsed = parsedOrNull(text);
    setWrong(parsed === null);
    if (parsed !== null) set.do(parsed);
  };
  return (
    <Section title="Change the policy">
      <div className="stack">
        <Textarea
          label="The whole policy, as JSON"
          description="The server checks it and names what is wrong. A second administrator confirms it."
          autosize
          minRows={10}
          maxRows={30}
          styles={{ input: { fontFamily: 'monospace' } }}
          error={isWrong ? 'This is not JSON: look for a missing comma or quote.' : undefined}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {set.error === null ? null : <Failed error={set.error} />}
        {set.answer === undefined ? null : (
          <Notice tone={set.answer.state === 'pending' ? 'waiting' : 'paid'}>
            {set.answer.state === 'pending' ? 'It waits for a second administrator, under Changes.' : 'It is in force.'}
          </Notice>
        )}
        <div className="row">
          <Button loading={set.isRunning} onClick={propose}>
            Propose it
          </Button>
          <Button variant="default" onClick={() => setText(null)}>
            Back
          </Button>
        </div>
      </div>
    </Section>
  );
}

/** The server checks what is in it. */
function parsedOrNull(text: string): ApprovalPolicy | null {
  try {
    return JSON.parse(text) as ApprovalPolicy;
  } catch {
    return null;
  }
}
