import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SignUpPauses } from '../../api/onboarding/sign-up-pause.ts';
import { api } from '../calls/api.ts';
import { When } from '../elements/values.tsx';
import { counted } from '../elements/formats.ts';
import { Failed, Notice } from '../elements/page.tsx';
import { Unread } from '../elements/unread.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useMay } from '../shell/session.tsx';

/** Pauses of sign-ups: after many equal refusals it is the connection that is wrong, not the people. */
export function Holds(): ReactNode {
  const pauses = useQuery({
    queryKey: ['pauses'],
    queryFn: ({ signal }) => api.listSignUpPauses({}, { signal }),
    refetchInterval: 30_000,
  });
  return (
    <>
      <Unread query={pauses} what="Whether sign-ups are paused" />
      {pauses.data?.pauses.map((pause) => (
        <Pause key={pause.account} pause={pause} />
      ))}
    </>
  );
}

function Pause({ pause }: { pause: SignUpPauses['pauses'][number] }): ReactNode {
  const { account, pausedAt, httpStatus, refusals, waiting } = pause;
  const mayResume = useMay('onboard');
  const resume = useAction((retry: boolean) => api.resumeSignUps({ account, retry }), {
    changes: [['pauses'], ['cases']],
  });
  return (
    <Notice tone="failed" title={`Nobody is signed up for ${account} at present`}>
      <div className="stack" style={{ gap: 8 }}>
        <span>
          {counted(refusals, 'sign-up')} in a row were refused with the same answer
          {httpStatus === null ? '' : ` (status ${httpStatus})`}, since <When at={pausedAt} />.{' '}
          {counted(waiting, 'applicant waits', 'applicants wait')}. Find out why before you resume.
        </span>
        {resume.error === null ? null : <Failed error={resume.error} />}
        {mayResume ? (
          <div className="row">
            <Button size="xs" variant="default" loading={resume.isRunning} onClick={() => resume.do(true)}>
              Resume, and try the refused ones again
            </Button>
            <Button size="xs" variant="default" loading={resume.isRunning} onClick={() => resume.do(false)}>
              Resume
            </Button>
          </div>
        ) : null}
      </div>
    </Notice>
  );
}
