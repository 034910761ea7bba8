import type { ReactNode } from 'react';
import { Notice } from '../elements/page.tsx';

/**
 * Over the page of somebody whose session has ended, and hiding it: signed in again, they go on where they were. It is a dialog
 * of the browser itself, so that nothing below it can be read or reached, not even dialogs of the page.
 */
export function SignInAgain({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <dialog
      className="sign-in-again"
      aria-label="Your session has ended"
      ref={(dialog) => {
        if (dialog !== null && !dialog.open) dialog.showModal();
      }}
      onCancel={(event) => event.preventDefault()}
    >
      <Notice tone="waiting" title="Your session has ended">
        Sign in as {name} to go on where you were: what you have written is still there.
      </Notice>
      {children}
    </dialog>
  );
}
