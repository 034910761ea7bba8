import { Kbd } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from '../elements/dialog.tsx';
import { Facts } from '../elements/page.tsx';

export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  return (
    <Dialog title="Keys" isOpen={isOpen} onClose={onClose}>
      <Facts
        of={[
          ['Search everywhere', <Both key="s" one="⌘K" other="Ctrl K" />],
          ['Search in this page', <Kbd key="/">/</Kbd>],
          ['Next row', <Both key="j" one="j" other="↓" />],
          ['Row before', <Both key="k" one="k" other="↑" />],
          ['Open the row', <Kbd key="e">Enter</Kbd>],
          ['These keys', <Kbd key="?">?</Kbd>],
        ]}
      />
      <p className="muted small">No single key approves, pays or stops anything.</p>
    </Dialog>
  );
}

function Both({ one, other }: { one: string; other: string }): ReactNode {
  return (
    <>
      <Kbd>{one}</Kbd> or <Kbd>{other}</Kbd>
    </>
  );
}
