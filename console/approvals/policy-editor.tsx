import { Button, Textarea } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { ChangeState } from '../../api/approvals/change.ts';
import type { ApprovalPolicy } from '../../api/approvals/policy.ts';
import type { PolicyCheck } from '../../api/approvals/policy-check.ts';
import { api } from '../calls/api.ts';
import { Failed, Notice, Section } from '../elements/page.tsx';
import { type Action, useAction } from '../elements/use-action.tsx';
import { PolicyComparison, RemarkList } from './policy-change.tsx';
import { PolicyOfRun } from './policy-of-run.tsx';
import { PolicyQuestion } from './policy-question.tsx';
import { policyMistakes, policyTextOf } from './policy-text.ts';

/** What the server has said about a text, and beside which policy in force. */
interface Checked extends PolicyCheck {
  text: string;
  inForce: string;
}

/** Another policy: written, checked beside the one in force, then proposed. Only what was checked is proposed. */
export function PolicyEditor({ policy, onClose }: { policy: ApprovalPolicy; onClose: () => void }): ReactNode {
  const [text, setText] = useState(() => JSON.stringify(policy, null, 2));
  const [mistake, setMistake] = useState<string | null>(null);
  const inForce = JSON.stringify(policy);
  const check = useAction(
    async (written: ApprovalPolicy): Promise<Checked> => ({
      ...(await api.checkPolicy({ policy: written })),
      ...{ text, inForce },
    }),
  );
  const set = useAction((proposed: ApprovalPolicy) => api.setPolicy(proposed), {
    changes: [['policy'], ['changes'], ['inbox']],
  });
  const checked = check.answer?.text === text && check.answer.inForce === inForce ? check.answer : null;
  const write = (written: string): void => {
    setText(written);
    setMistake(null);
    check.reset();
    set.reset();
  };
  const ask = (): void => {
    const read = policyTextOf(text);
    setMistake('mistake' in read ? read.mistake : null);
    if ('policy' in read) check.do(read.policy);
  };
  return (
    <Section title="Change the policy">
      <div className="stack">
        <Textarea
          label="The whole policy, as JSON"
          description="The server checks it and names what is wrong, and where. A second administrator confirms it."
          autosize
          minRows={10}
          maxRows={30}
          styles={{ input: { fontFamily: 'monospace' } }}
          error={mistake ?? undefined}
          value={text}
          onChange={(event) => write(event.currentTarget.value)}
        />
        {check.error === null ? null : <Mistakes error={check.error} text={text} />}
        <div className="row">
          <Button variant={checked === null ? 'filled' : 'default'} loading={check.isRunning} onClick={ask}>
            Check it
          </Button>
          <Button variant="default" onClick={onClose}>
            Back
          </Button>
        </div>
        {checked === null ? null : <CheckedPolicy key={text} inForce={policy} checked={checked} set={set} />}
        {set.answer === undefined ? null : <Proposed state={set.answer.state} />}
      </div>
    </Section>
  );
}

function CheckedPolicy(props: {
  inForce: ApprovalPolicy;
  checked: PolicyCheck;
  set: Action<ApprovalPolicy, ChangeState>;
}): ReactNode {
  const { inForce, checked, set } = props;
  return (
    <>
      <PolicyComparison inForce={inForce} proposed={checked.policy} />
      <RemarkList remarks={checked.remarks} />
      <PolicyQuestion proposed={checked.policy} />
      <PolicyOfRun policy={checked.policy} />
      {set.error === null ? null : <Failed error={set.error} />}
      <div>
        <Button loading={set.isRunning} disabled={set.answer !== undefined} onClick={() => set.do(checked.policy)}>
          Propose it
        </Button>
      </div>
    </>
  );
}

function Proposed({ state }: { state: ChangeState['state'] }): ReactNode {
  if (state !== 'pending') return <Notice tone="paid">It is in force.</Notice>;
  return (
    <Notice tone="waiting">
      It waits for a second administrator, under <Link to="/admin/changes">Changes</Link>.
    </Notice>
  );
}

function Mistakes({ error, text }: { error: unknown; text: string }): ReactNode {
  const read = policyTextOf(text);
  const mistakes = policyMistakes(error, 'policy' in read ? read.policy : null);
  if (mistakes === null) return <Failed error={error} />;
  return (
    <Notice tone="failed" title="Something in it is wrong">
      <ul style={{ margin: 0, paddingLeft: 20 }}>
        {mistakes.map(({ place, problem }) => (
          <li key={`${place} ${problem}`}>
            <strong>{place}</strong>: {problem}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
