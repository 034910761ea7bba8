import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Notice } from './page.tsx';
import type { AskedAbout } from './use-asked-about.ts';

/** Why a dialog has closed by itself. `what` begins a sentence, as "The proposed version". */
export function ChangedMeanwhile(props: {
  what: string;
  asked: Pick<AskedAbout<string>, 'hasChanged' | 'close'>;
}): ReactNode {
  const { what, asked } = props;
  if (!asked.hasChanged) return null;
  return (
    <Notice tone="failed" title={`${what} has changed while you looked at it`}>
      <div className="stack">
        <span>The dialog was about what it was before, and is closed. Read what it is now before you decide.</span>
        <div>
          <Button size="xs" variant="default" onClick={asked.close}>
            Hide this notice
          </Button>
        </div>
      </div>
    </Notice>
  );
}
