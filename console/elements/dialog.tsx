import { Button, Modal, Textarea } from '@mantine/core';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { Failed } from './page.tsx';
import type { Action } from './use-action.tsx';

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** What it asked for is under way: it cannot be left as if nothing had been done. */
  isBusy?: boolean;
  children?: ReactNode;
}

const OpenContext = createContext(true);

/**
 * Whether the dialog that an element is in is still open, and the element there, for what an answer does when it comes: nothing
 * more is done for whoever has gone back meanwhile.
 */
export function useStillOpen(): () => boolean {
  const isOpen = useContext(OpenContext);
  const latest = useRef(isOpen);
  useEffect(() => {
    latest.current = isOpen;
    return () => {
      latest.current = false;
    };
  }, [isOpen]);
  return () => latest.current;
}

export function Dialog({ title, isOpen, onClose, isBusy = false, children }: DialogProps): ReactNode {
  return (
    <Modal
      opened={isOpen}
      onClose={isBusy ? () => undefined : onClose}
      withCloseButton={!isBusy}
      title={title}
      centered
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <OpenContext value={isOpen}>
        <div className="stack">{children}</div>
      </OpenContext>
    </Modal>
  );
}

/** Asks for a reason before something is done; the reason is kept with it. */
export function ReasonDialog(
  props: DialogProps & {
    action: Action<string | null, unknown>;
    verb: string;
    reason: 'required' | 'optional' | 'none';
    reasonLabel?: string | undefined;
    suggestions?: readonly string[];
    isDangerous?: boolean;
    /** Something else is to be given first. */
    isBlocked?: boolean;
  },
): ReactNode {
  const {
    action,
    verb,
    reason: asked,
    suggestions = [],
    children,
    isDangerous = false,
    isBlocked = false,
    ...dialog
  } = props;
  const [reason, setReason] = useState('');
  const given = reason.trim();
  const close = (): void => {
    action.reset();
    dialog.onClose();
  };
  return (
    <Dialog {...dialog} isBusy={action.isRunning} onClose={close}>
      {children}
      {asked === 'none' ? null : (
        <>
          {suggestions.length === 0 ? null : (
            <div className="row">
              {suggestions.map((text) => (
                <Button key={text} size="compact-sm" variant="default" onClick={() => setReason(text)}>
                  {text}
                </Button>
              ))}
            </div>
          )}
          <Textarea
            label={props.reasonLabel ?? (asked === 'required' ? 'Reason' : 'Reason (optional)')}
            required={asked === 'required'}
            maxLength={2000}
            autosize
            minRows={2}
            data-autofocus
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </>
      )}
      {action.error === null ? null : <Failed error={action.error} />}
      <div className="row" style={{ justifyContent: 'flex-end' }}>
        <Button variant="default" disabled={action.isRunning} onClick={close}>
          Back
        </Button>
        <Button
          color={isDangerous ? 'red' : undefined}
          loading={action.isRunning}
          disabled={isBlocked || (asked === 'required' && given === '')}
          onClick={() => action.do(given === '' ? null : given)}
        >
          {verb}
        </Button>
      </div>
    </Dialog>
  );
}
