import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RunReview } from '../../api/runs/review.ts';
import { counted } from '../elements/formats.ts';
import { Notice } from '../elements/page.tsx';
import type { ReviewChange } from './seen-review.ts';

/** In the place of what one has read and is no longer so, until one has asked for what it is now. */
export function Changed(props: {
  seen: RunReview;
  /** Null: it is still being read. */
  now: RunReview | null;
  change: NonNullable<ReviewChange>;
  onShow: () => void;
}): ReactNode {
  const { seen, now, change, onShow } = props;
  const isContent = change.kind === 'content';
  return (
    <Notice
      tone="failed"
      title={
        isContent
          ? 'The run has changed while you looked at it'
          : 'What stands out in the run has changed while you looked at it'
      }
    >
      <div className="stack">
        <span>
          {isContent
            ? `What you saw had the content ${seen.contentHash.slice(0, 8)}; it is ${now?.contentHash.slice(0, 8) ?? 'another'} now. ` +
              'Approvals given before do not count any more.'
            : `Other payments were made meanwhile: ${counted(change.came, 'finding')} came, ${change.went} went. ` +
              'Your answers to those that are as they were are kept.'}
        </span>
        <div>
          <Button loading={now === null} onClick={onShow}>
            Show what it is now
          </Button>
        </div>
      </div>
    </Notice>
  );
}
