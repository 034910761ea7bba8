import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RunDetail } from '../../api/runs/run.ts';
import { RUN_STATE_TABLE } from '../../domain/runs/run-state.ts';
import { FileFindings } from '../approvals/findings.tsx';
import { StopNotice } from '../approvals/stop-notice.tsx';
import { api } from '../calls/api.ts';
import { When } from '../elements/values.tsx';
import { counted, inWords } from '../elements/formats.ts';
import { Mark } from '../elements/mark.tsx';
import { Failed, Notice, Section } from '../elements/page.tsx';
import { useMay } from '../shell/session.tsx';
import { Proposal } from './proposal.tsx';
import { RunCosts } from './run-costs.tsx';
import { RunFrame } from './run-frame.tsx';
import { RunProgress } from './run-progress.tsx';

/** A run: what needs somebody first, then how far it is, then what it does. */
export function RunPage(): ReactNode {
  return <RunFrame>{(run) => <Overview run={run} />}</RunFrame>;
}

function Overview({ run }: { run: RunDetail }): ReactNode {
  return (
    <>
      {run.stops.map((stop) => (
        <StopNotice key={stop.stopId} stop={stop} changes={[['run', run.runId], ['runs'], ['inbox']]} />
      ))}
      <NeedsSomebody run={run} />
      <Section title="Progress" aside={<InTemporal url={run.workflowUrl} />}>
        <RunProgress run={run} />
      </Section>
      {run.finishedAt === null ? null : <RunCosts run={run} />}
      <Decision run={run} />
      {run.proposal === null ? (
        <Notice tone="moving" title="The rows are being checked">
          payrun looks for duplicates and for what stands out. The proposal appears here by itself.
        </Notice>
      ) : (
        <>
          <FileNews run={run} />
          <Proposal proposal={run.proposal} />
        </>
      )}
    </>
  );
}

/** While somebody may still decide: what is known of the file, for whoever submitted it too. */
function FileNews({ run }: { run: RunDetail }): ReactNode {
  const { runId, proposal, state } = run;
  const mayRead = useMay('read_instructions');
  const review = useQuery({
    queryKey: ['run', runId, 'review', proposal?.contentHash ?? null],
    queryFn: ({ signal }) => api.getReview({ runId }, { signal }),
    enabled: mayRead && proposal !== null && state === 'in_approval',
    staleTime: 60_000,
  });
  if (review.isError) return <Failed error={review.error} onRetry={() => void review.refetch()} />;
  return review.data === undefined ? null : <FileFindings runId={runId} review={review.data} />;
}

function InTemporal({ url }: { url: string | null }): ReactNode {
  return url === null ? null : (
    <a href={url} target="_blank" rel="noreferrer" className="small no-print">
      Its workflow in Temporal
    </a>
  );
}

const NEEDS = [
  {
    state: 'unknown',
    tone: 'unknown',
    text: (count: number) => `${counted(count, 'payment')} of unknown outcome`,
    hint: 'Ask the provider before anything else, and do not pay them by other means.',
  },
  {
    state: 'duplicate_suspect',
    tone: 'waiting',
    text: (count: number) => counted(count, 'suspected duplicate'),
    hint: 'They are not paid unless a checker releases them before the run is approved.',
    hintAtEnd: 'They were not paid: nobody released them before the run was approved.',
  },
  {
    state: 'held',
    tone: 'waiting',
    text: (count: number) => counted(count, 'held row'),
    hint: 'Each says why it is held. Correct it in the exceptions file, and submit it again.',
    hintAtEnd: 'They were not paid. Each says why: correct it in the exceptions file, and submit it again.',
  },
  {
    state: 'awaiting_funds',
    tone: 'waiting',
    text: (count: number) => `${counted(count, 'payment')} waiting for money`,
    hint: 'They are paid as soon as the balance is sufficient.',
  },
  {
    state: 'failed',
    tone: 'failed',
    text: (count: number) => counted(count, 'failed payment'),
    hint: 'Each says why. Correct it in the exceptions file, and submit it again.',
  },
  {
    state: 'rejected',
    tone: 'failed',
    text: (count: number) => counted(count, 'rejected payment'),
    hint: 'The provider did not take them, and says why. Correct them in the exceptions file, and submit it again.',
  },
  {
    state: 'returned',
    tone: 'failed',
    text: (count: number) => counted(count, 'returned payment'),
    hint: 'They were paid, and the money came back.',
  },
] as const;

function NeedsSomebody({ run }: { run: RunDetail }): ReactNode {
  const needed = NEEDS.map((need) => ({ ...need, count: run.rows[need.state] ?? 0 })).filter(({ count }) => count > 0);
  return needed.map(({ state, tone, text, count, ...hints }) => (
    <Notice key={state} tone={tone} title={<Mark tone={tone}>{text(count)}</Mark>}>
      <span className="row spread">
        <span>{run.finishedAt !== null && 'hintAtEnd' in hints ? hints.hintAtEnd : hints.hint}</span>
        <Link to="/runs/$runId/rows" params={{ runId: run.runId }} search={{ state }}>
          Show them
        </Link>
      </span>
    </Notice>
  ));
}

function Decision({ run }: { run: RunDetail }): ReactNode {
  const mayRead = useMay('read_instructions');
  if (run.state === 'in_approval' && mayRead) {
    return (
      <Notice tone="waiting" title="It waits for approval">
        <span className="row spread">
          <span>
            {RUN_STATE_TABLE.in_approval.meaning}
            {run.waitingSince === null ? null : (
              <>
                {' '}
                It waits since <When at={run.waitingSince} />.
              </>
            )}
          </span>
          <Button component={Link} to={`/runs/${run.runId}/decide`} variant="default" size="xs">
            See what a decision is made on
          </Button>
        </span>
      </Notice>
    );
  }
  if (run.decidedBy === null) return run.stateReason === null ? null : <StateReason run={run} />;
  const verb = run.state === 'rejected' ? 'Rejected' : run.state === 'cancelled' ? 'Ended' : 'Approved';
  return (
    <Notice tone={run.state === 'rejected' ? 'failed' : 'neutral'} title={`${verb} by ${run.decidedBy.name}`}>
      <When at={run.decidedAt} />
      {run.decisionComment === null ? null : <>: “{run.decisionComment}”</>}
    </Notice>
  );
}

function StateReason({ run }: { run: RunDetail }): ReactNode {
  return (
    <Notice tone="neutral" title={RUN_STATE_TABLE[run.state].meaning}>
      {inWords(run.stateReason ?? '')}
    </Notice>
  );
}
