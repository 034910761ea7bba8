import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { UnknownOutcomeError } from '../calls/unknown-outcome-error.ts';
import { Failed, Notice } from '../elements/page.tsx';
import { runOfConflict } from './submission.ts';

/** Why a submission was not accepted, and where one sees whether a run of it is there. */
export function SubmissionFailed({ error }: { error: unknown }): ReactNode {
  const runId = runOfConflict(error);
  if (runId !== null) {
    return (
      <Notice tone="failed" title="A run was made of this file already">
        <div className="stack">
          <span>
            It was submitted before, with other documents or another account, and its answer may not have come. Look at
            that run first. To submit the file once more all the same, choose it again.
          </span>
          <Link to="/runs/$runId" params={{ runId }}>
            Open the run
          </Link>
        </div>
      </Notice>
    );
  }
  return (
    <>
      <Failed error={error} />
      {error instanceof UnknownOutcomeError ? (
        <Link to="/runs" search={{ by: 'me' }}>
          Your latest runs
        </Link>
      ) : null}
    </>
  );
}
