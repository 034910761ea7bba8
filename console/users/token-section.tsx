import { Button, NumberInput, TextInput } from '@mantine/core';
import { type SubmitEvent, type ReactNode, useState } from 'react';
import { SecondFactor, wantsSecondFactor } from '../approvals/second-factor.tsx';
import type { TokenRequest } from '../../api/users/token.ts';
import { api } from '../calls/api.ts';
import { Failed, Notice, Section } from '../elements/page.tsx';
import { SecretNotice } from '../elements/secret-notice.tsx';
import { useAction } from '../elements/use-action.tsx';
import { SESSION_KEY, useSession } from '../shell/session.tsx';
import { TokenTable } from './token-table.tsx';

/** Tokens of one's own, for programs and the command line. */
export function TokenSection(): ReactNode {
  return (
    <Section title="Your tokens" aside={<span className="muted">For programs and the command line</span>}>
      <div className="stack">
        <NewToken />
        <TokenTable whose="own" />
      </div>
    </Section>
  );
}

const MOST_DAYS = 730;

/** A token of one's own. Its secret is shown once; only a hash of it is kept. */
function NewToken(): ReactNode {
  const [label, setLabel] = useState('');
  const [days, setDays] = useState<string | number>(90);
  const { mayChangeSignIn } = useSession();
  const issue = useAction((asked: TokenRequest) => api.issueToken(asked), {
    changes: [['tokens'], SESSION_KEY],
    then: () => setLabel(''),
  });
  const create = (): void => issue.do({ label: label.trim(), validDays: Number(days) });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    create();
  };
  return (
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
          <Button
            type="submit"
            variant="default"
            loading={issue.isRunning}
            disabled={label.trim() === '' || mayChangeSignIn.until === null}
          >
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
  );
}
