import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { goingLiveSentence } from '../../domain/approvals/going-live.ts';
import { api } from '../calls/api.ts';
import { ReasonDialog } from '../elements/dialog.tsx';
import { formatUtc } from '../elements/times.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Mark } from '../elements/mark.tsx';
import { Section } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useMay } from '../shell/session.tsx';

/** Whether payrun is live with a real provider, and the first of the two steps to it. */
export function GoingLiveSection(): ReactNode {
  const mayManage = useMay('manage_users');
  const [isAsked, setAsked] = useState(false);
  const step = useQuery({ queryKey: ['going-live'], queryFn: ({ signal }) => api.getGoingLive({}, { signal }) });
  const propose = useAction(() => api.goLive({}), {
    changes: [['going-live'], ['changes'], ['inbox']],
    then: () => setAsked(false),
  });
  return (
    <Section title="Going live" aside={step.data?.state === 'live' ? <Mark tone="paid">live</Mark> : undefined}>
      <Loaded query={step}>
        {(shown) => (
          <div className="stack">
            <span>{goingLiveSentence({ ...shown, since: shown.since === null ? null : formatUtc(shown.since) })}</span>
            {shown.state === 'proposed' ? <Link to="/admin/changes">Changes that wait</Link> : null}
            {shown.state === 'not_live' && mayManage ? (
              <div>
                <Button onClick={() => setAsked(true)}>Go live …</Button>
              </div>
            ) : null}
          </div>
        )}
      </Loaded>
      <ReasonDialog
        title="Go live with this provider?"
        verb="Propose to go live"
        reason="none"
        isDangerous
        action={propose}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
      >
        <p style={{ margin: 0 }}>
          Another administrator confirms it. Then runs and orders can be approved and applicants signed up, with real
          money. Everybody but you two signs in again, with a new code that takes two administrators; your other
          sessions and tokens end as well.
        </p>
      </ReasonDialog>
    </Section>
  );
}
