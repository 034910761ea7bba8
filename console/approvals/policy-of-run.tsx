import { Button, TextInput } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import type { ApprovalPolicy } from '../../api/approvals/policy.ts';
import type { RunUnderPolicy } from '../../api/approvals/policy-explanation.ts';
import { runUnderPolicyInWords } from '../../domain/approvals/run-under-policy.ts';
import { api } from '../calls/api.ts';
import { formatAmount } from '../elements/formats.ts';
import { Failed, Section } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';

/** What a policy says of one run: which rules and limits apply, and why. */
export function PolicyOfRun({ policy }: { policy: ApprovalPolicy }): ReactNode {
  const [runId, setRunId] = useState('');
  const ask = useAction(() => explain(policy, runId.trim()));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    ask.do(undefined);
  };
  return (
    <Section title="What does it say of a run?">
      <form className="stack" onSubmit={submit}>
        <TextInput
          label="Run"
          description="Its id, as its page shows it"
          required
          maw={420}
          value={runId}
          onChange={(event) => {
            setRunId(event.currentTarget.value);
            ask.reset();
          }}
        />
        <div>
          <Button type="submit" variant="default" loading={ask.isRunning} disabled={runId.trim() === ''}>
            Show
          </Button>
        </div>
      </form>
      {ask.error === null ? null : <Failed error={ask.error} />}
      {ask.answer === undefined || ask.answer === null ? null : (
        <ul role="status">
          {runUnderPolicyInWords(ask.answer, formatAmount).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </Section>
  );
}

async function explain(policy: ApprovalPolicy, runId: string): Promise<RunUnderPolicy | null> {
  return (await api.checkPolicy({ policy, runId })).ofRun;
}
