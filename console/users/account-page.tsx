import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { endOwnSession } from '../calls/session-calls.ts';
import { inWords } from '../elements/formats.ts';
import { Facts, Failed, Notice, Page, Section } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { SESSION_KEY, useSession } from '../shell/session.tsx';
import { PasswordSection } from './password-section.tsx';
import { FactorSection } from './factor-section.tsx';
import { IdentitySection } from './identity-section.tsx';
import { SessionTable } from './session-table.tsx';
import { TokenSection } from './token-section.tsx';

/** One's own sign-in: password, second factors, where one is signed in, and one's tokens. */
export function AccountPage(): ReactNode {
  const { user, roles, accounts, mayChangeSignIn } = useSession();
  // The page stays below the sign-in, here and in other tabs, with what was begun there.
  const signInAgain = useAction(endOwnSession, { changes: [SESSION_KEY] });
  return (
    <Page title="Your account" under={user.name}>
      <Facts
        of={[
          ['Signs in as', user.login],
          ['Roles', roles.length === 0 ? 'none yet' : roles.map(inWords).join(', ')],
          ['Accounts', accounts === null ? 'all' : accounts.join(', ')],
        ]}
      />
      {mayChangeSignIn.until === null ? (
        <Notice tone="waiting" title="Sign in again to change something here">
          <div className="stack">
            <span>
              Passwords and second factors are changed, and tokens created, within some minutes after signing in.
            </span>
            {signInAgain.error === null ? null : <Failed error={signInAgain.error} />}
            <div>
              <Button
                size="xs"
                variant="default"
                loading={signInAgain.isRunning}
                onClick={() => signInAgain.do(undefined)}
              >
                Sign in again
              </Button>
            </div>
          </div>
        </Notice>
      ) : null}
      <PasswordSection />
      <FactorSection />
      <IdentitySection />
      <Section title="Where you are signed in">
        <SessionTable whose="own" />
      </Section>
      <TokenSection />
    </Page>
  );
}
