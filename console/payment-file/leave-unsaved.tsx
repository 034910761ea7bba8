import { Button } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Dialog } from '../elements/dialog.tsx';
import { counted } from '../elements/formats.ts';

/** Asks before a page is left on which something is not saved; the browser asks before its tab is closed. */
export function LeaveUnsaved({ count }: { count: number }): ReactNode {
  const leaving = useBlocker({
    // Another filter or page of rows is still this page.
    shouldBlockFn: ({ current, next }) => count > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: count > 0,
    withResolver: true,
  });
  const isAsking = leaving.status === 'blocked';
  const stay = (): void => leaving.reset?.();
  return (
    <Dialog title={`Leave without saving ${counted(count, 'change')}?`} isOpen={isAsking} onClose={stay}>
      <p style={{ margin: 0 }}>What was saved before stays in the draft. What was not is lost with this page.</p>
      <div className="row" style={{ justifyContent: 'flex-end' }}>
        <Button variant="default" data-autofocus onClick={stay}>
          Stay
        </Button>
        <Button color="red" onClick={() => leaving.proceed?.()}>
          Leave
        </Button>
      </div>
    </Dialog>
  );
}
