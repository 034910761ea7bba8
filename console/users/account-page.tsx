import type { ReactNode } from 'react';
import { inWords } from '../elements/formats.ts';
import { Facts, Page, Section } from '../elements/page.tsx';
import { useSession } from '../shell/session.tsx';
import { PasswordSection } from './password-section.tsx';
import { FactorSection } from './factor-section.tsx';
import { IdentitySection } from './identity-section.tsx';
import { SessionTable } from './session-table.tsx';
import { SignInAgainNotice } from './sign-in-again-notice.tsx';
import { TokenSection } from './token-section.tsx';

/** One's own sign-in: password, second factors, where one is signed in, and one's tokens. */
export function AccountPage(): ReactNode {
  const { user, roles, accounts, mayChangeSignIn } = useSession();
  return (
    <Page title="Your account" under={user.name}>
      <Facts
        of={[
          ['Signs in as', user.login],
          ['Roles', roles.length === 0 ? 'none yet' : roles.map(inWords).join(', ')],
          ['Accounts', accounts === null ? 'all' : accounts.join(', ')],
        ]}
      />
      {mayChangeSignIn.until === null ? <SignInAgainNotice /> : null}
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
