import { Kbd } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Dialog } from '../elements/dialog.tsx';
import { Facts } from '../elements/page.tsx';
import { moveFocus } from '../elements/table.tsx';

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

/** The keys of all pages. None of them decides on anything. */
export function useKeys(does: { search: () => void; help: () => void }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isCommand = event.metaKey || event.ctrlKey;
      if (isCommand && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        does.search();
        return;
      }
      if (isCommand || event.altKey || isTyping(event.target) || isInDialog()) return;
      if (!(event.key in KEYS)) return;
      event.preventDefault();
      KEYS[event.key as keyof typeof KEYS](does, event.target);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
}

type Does = Parameters<typeof useKeys>[0];

const KEYS = {
  '/': (does: Does) => {
    const filter = document.querySelector<HTMLInputElement>('[data-page-search]');
    if (filter === null) does.search();
    else filter.focus();
  },
  '?': (does: Does) => does.help(),
  j: (_does: Does, from: EventTarget | null) => moveInTable(1, from),
  k: (_does: Does, from: EventTarget | null) => moveInTable(-1, from),
} as const;

function moveInTable(by: 1 | -1, from: EventTarget | null): void {
  const inside = from instanceof Element ? from.closest('table') : null;
  const table = inside ?? document.querySelector('main table');
  if (table !== null) moveFocus(table, by, from);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function isInDialog(): boolean {
  return document.querySelector('[role="dialog"]') !== null;
}
