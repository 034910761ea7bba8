import { Button, Checkbox, NumberInput, TextInput } from '@mantine/core';
import { type SubmitEvent, type ReactNode, useState } from 'react';
import { SecondFactor, wantsSecondFactor } from '../approvals/second-factor.tsx';
import type { TokenRequest, TokenScope } from '../../api/users/token.ts';
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

/** Beside reading, which every token may. */
const FURTHER_SCOPES: Readonly<Record<Exclude<TokenScope, 'read'>, string>> = {
  submit: 'Submit runs, propose, stop',
  decide: 'Approve, confirm, manage: for 24 hours at most',
};

/** A token of one's own. Its secret is shown once; only a hash of it is kept. */
function NewToken(): ReactNode {
  const [label, setLabel] = useState('');
  const [days, setDays] = useState<string | number>(90);
  const [further, setFurther] = useState<string[]>([]);
  const { mayChangeSignIn } = useSession();
  const issue = useAction((asked: TokenRequest) => api.issueToken(asked), {
    changes: [['tokens'], SESSION_KEY],
    then: () => setLabel(''),
  });
  const create = (): void =>
    issue.do({ label: label.trim(), validDays: Number(days), scopes: ['read', ...(further as TokenScope[])] });
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
        <Checkbox.Group label="It may read, and" value={further} onChange={setFurther}>
          <div className="row">
            {Object.entries(FURTHER_SCOPES).map(([scope, words]) => (
              <Checkbox key={scope} value={scope} label={scope} description={words} />
            ))}
          </div>
        </Checkbox.Group>
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
