import type { ReactNode } from 'react';
import type { RunDecision } from '../../api/runs/run-decision.ts';
import { When } from '../elements/values.tsx';

/** What people decided on a run, the oldest first. */
export function Decisions({ of }: { of: readonly RunDecision[] }): ReactNode {
  return of.map(({ sentence, at, comment }) => (
    <span key={`${at} ${sentence}`}>
      {sentence}, <When at={at} />
      {comment === null ? null : <>: “{comment}”</>}
    </span>
  ));
}
