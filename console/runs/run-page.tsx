import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RunDetail } from '../../api/runs/run.ts';
import { rowTextsIn } from '../../domain/runs/run-sentences.ts';
import { RUN_STATE_TABLE, WAITING_RUN_STATES } from '../../domain/runs/run-state.ts';
import { Decisions } from '../approvals/decisions.tsx';
import { FileFindings } from '../approvals/findings.tsx';
import { StopNotice } from '../approvals/stop-notice.tsx';
import { api } from '../calls/api.ts';
import { When } from '../elements/values.tsx';
import { inWords, withoutFullStop } from '../elements/formats.ts';
import { Mark } from '../elements/mark.tsx';
import { Failed, Notice, Section } from '../elements/page.tsx';
import { useMay } from '../shell/session.tsx';
import { Proposal } from './proposal.tsx';
import { RunCosts } from './run-costs.tsx';
import { RunFrame } from './run-frame.tsx';
import { RunProgress } from './run-progress.tsx';
import { capitalized } from '../../domain/capitalized.ts';

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
      {run.erasedAt === null ? null : (
        <Notice tone="moving" title="The data of those whom it paid is erased">
          Since <When at={run.erasedAt} /> nobody reads names, accounts, references, cells and files of its rows.
          Amounts and states are there.
        </Notice>
      )}
      <Section title="Progress" aside={<InTemporal url={run.workflowUrl} />}>
        <RunProgress run={run} />
      </Section>
      {run.finishedAt === null ? null : <RunCosts run={run} />}
      <Standing run={run} />
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
    enabled: mayRead && proposal !== null && WAITING_RUN_STATES.includes(state),
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

function NeedsSomebody({ run }: { run: RunDetail }): ReactNode {
  return run.sentences.rows.map(({ state, title, hint }) => {
    const { tone } = rowTextsIn(run.state, state);
    return (
      <Notice key={state} tone={tone} title={<Mark tone={tone}>{title}</Mark>}>
        <span className="row spread">
          <span>{hint}</span>
          <Link to="/runs/$runId/rows" params={{ runId: run.runId }} search={{ state }}>
            Show them
          </Link>
        </span>
      </Notice>
    );
  });
}

/** How it stands, what is to be done, and who decided what. */
function Standing({ run }: { run: RunDetail }): ReactNode {
  const { sentences, waitingSince, stateReason, decisions } = run;
  const mayRead = useMay('read_instructions');
  const waits = run.state === 'in_approval';
  return (
    <Notice
      tone={RUN_STATE_TABLE[run.state].tone}
      title={waits ? 'It waits for approval' : withoutFullStop(sentences.status)}
    >
      <div className="stack" style={{ gap: 6 }}>
        {waits ? <span>{sentences.status}</span> : null}
        {stateReason === null ? null : <span>{capitalized(inWords(stateReason))}.</span>}
        {sentences.toDo === null ? null : <span>{sentences.toDo}</span>}
        {waitingSince === null ? null : (
          <span>
            It waits since <When at={waitingSince} />.
          </span>
        )}
        <Decisions of={decisions} />
        {WAITING_RUN_STATES.includes(run.state) && mayRead ? (
          <span>
            <Button component={Link} to={`/runs/${run.runId}/decide`} variant="default" size="xs">
              See what a decision is made on
            </Button>
          </span>
        ) : null}
      </div>
    </Notice>
  );
}
