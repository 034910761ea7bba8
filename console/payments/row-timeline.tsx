import type { ReactNode } from 'react';
import type { ActionableRow } from '../../api/runs/row-detail.ts';
import { Money, When } from '../elements/values.tsx';
import { counted, inWords } from '../elements/formats.ts';
import { Facts } from '../elements/page.tsx';
import { Timeline } from '../elements/timeline.tsx';
import { evidenceMoments, momentsOf, type RowMoment } from './row-moments.ts';

/** What became of a row, in the order of the facts. */
export function RowTimeline({ row }: { row: ActionableRow }): ReactNode {
  return (
    <section className="stack" aria-label="What became of it">
      <Facts
        of={[
          ['Attempt', row.attempt],
          ['Our reference', row.referenceId],
          ["Provider's id", row.providerPaymentId],
          ['Provider shows', row.providerStatus === null ? null : inWords(row.providerStatus)],
          ['Shown last', row.lastShownAt === null ? null : <When key="at" at={row.lastShownAt} isExact />],
          row.returnedAmount === null ? null : ['Came back', <CameBack key="back" row={row} />],
        ]}
      />
      {row.workflowUrl === null ? null : (
        <a href={row.workflowUrl} target="_blank" rel="noreferrer">
          Its workflow in Temporal
        </a>
      )}
      {row.requests.length === 0 ? <span className="muted">Nothing of it was sent yet.</span> : null}
      <Moments of={momentsOf(row)} />
    </section>
  );
}

function CameBack({ row }: { row: ActionableRow }): ReactNode {
  return (
    <>
      <Money amount={row.returnedAmount} currency={row.sellCurrency} />
      {row.returnedAt === null ? null : (
        <>
          , <When at={row.returnedAt} />
        </>
      )}
    </>
  );
}

const MOST_EVIDENCE = 5;

/** The last that was sent to the provider and seen there. */
export function LastEvidence({ row }: { row: ActionableRow }): ReactNode {
  const moments = evidenceMoments(row);
  const earlier = moments.length - MOST_EVIDENCE;
  return (
    <section className="stack" aria-label="What was sent and looked up last">
      {moments.length === 0 ? (
        <span className="muted">Nothing was sent to the provider, and nothing looked up.</span>
      ) : null}
      {earlier > 0 ? (
        <span className="muted small">{counted(earlier, 'earlier entry', 'earlier entries')}: see the row itself.</span>
      ) : null}
      <Moments of={moments.slice(-MOST_EVIDENCE)} />
    </section>
  );
}

function Moments({ of }: { of: readonly RowMoment[] }): ReactNode {
  return (
    <Timeline
      moments={of.map(({ since, detail, ...moment }) => ({
        ...moment,
        detail:
          since === null ? (
            detail
          ) : (
            <>
              {detail} since <When at={since} />
            </>
          ),
      }))}
    />
  );
}
