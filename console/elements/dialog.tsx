import { Button, Modal, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Failed } from './page.tsx';
import type { Action } from './use-action.tsx';

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children?: ReactNode;
}

export function Dialog({ title, isOpen, onClose, children }: DialogProps): ReactNode {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      centered
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div className="stack">{children}</div>
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
    <Dialog {...dialog} onClose={close}>
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
        <Button variant="default" onClick={close}>
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
