import type { ReactNode } from 'react';
import type { Invitation } from '../../api/users/invitation.ts';
import { When } from '../elements/values.tsx';
import { SecretNotice } from '../elements/secret-notice.tsx';

/** The link that signs a new user in once. The code is behind the `#`, which no server sees. */
export function InvitationNotice({ invitation }: { invitation: Invitation }): ReactNode {
  const { code, expiresAt } = invitation;
  return (
    <SecretNotice
      title="Hand this link to the user"
      secret={`${window.location.origin}/sign-in#link=${encodeURIComponent(code)}`}
    >
      <span>
        It works once, until <When at={expiresAt} />.
      </span>
    </SecretNotice>
  );
}
