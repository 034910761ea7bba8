import type { ReactNode } from 'react';
import type { MailedCode } from '../../api/users/invitation.ts';
import { Notice } from '../elements/page.tsx';
import { When } from '../elements/values.tsx';

/** Where a code went. */
export function MailedNotice({ mailed: { to, expiresAt, problem } }: { mailed: MailedCode }): ReactNode {
  if (problem !== null) {
    return (
      <Notice tone="failed" title={`The code was not sent to ${to}`}>
        {problem} The code works no more: invite them again.
      </Notice>
    );
  }
  return (
    <Notice tone="paid" title={`The code was sent to ${to}`}>
      It works once, until <When at={expiresAt} />. Nobody else sees it.
    </Notice>
  );
}
