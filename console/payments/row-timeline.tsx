import type { ReactNode } from 'react';
import type { ActionableRow, RowLookUp, RowRequest } from '../../api/runs/row-detail.ts';
import { When } from '../elements/figures.tsx';
import { capitalised, inWords } from '../elements/formats.ts';
import type { Tone } from '../elements/mark.tsx';
import { Facts } from '../elements/page.tsx';
import { type Moment, Timeline } from '../elements/timeline.tsx';

const OUTCOMES: Readonly<Record<string, { tone: Tone; words: string }>> = {
  took_effect: { tone: 'paid', words: 'took effect' },
  had_no_effect: { tone: 'neutral', words: 'had no effect' },
  refused: { tone: 'failed', words: 'was refused' },
  unknown: { tone: 'unknown', words: 'outcome not known' },
};

/** What became of a row, in the order of the facts: requests, what was seen at the provider, what people said. */
export function RowTimeline({ row }: { row: ActionableRow }): ReactNode {
  const moments = [...row.requests.map(ofRequest), ...row.lookUps.map(ofLookUp), ...ofPeople(row)].sort((one, other) =>
    one.at.localeCompare(other.at),
  );
  return (
    <section className="stack" aria-label="What became of it">
      <Facts
        of={[
          ['Attempt', row.attempt],
          ['Our reference', row.referenceId],
          ["Provider's id", row.providerPaymentId],
          ['Provider shows', row.providerStatus === null ? null : inWords(row.providerStatus)],
          ['Shown last', row.lastShownAt === null ? null : <When key="at" at={row.lastShownAt} isExact />],
        ]}
      />
      {moments.length === 0 ? <span className="muted">Nothing of it was sent yet.</span> : null}
      <Timeline moments={moments} />
    </section>
  );
}

function ofRequest({ operation, attempt, begunAt, answeredAt, httpStatus, outcome }: RowRequest): Moment {
  const known = OUTCOMES[outcome] ?? { tone: 'neutral', words: inWords(outcome) };
  const answer = answeredAt === null ? 'no answer' : `status ${httpStatus ?? 'unknown'}`;
  return {
    at: begunAt,
    tone: known.tone,
    title: `${capitalised(operation)} ${known.words}`,
    detail: `attempt ${attempt}, ${answer}`,
  };
}

function ofLookUp({ request, result, times, firstAt, lastAt }: RowLookUp): Moment {
  return {
    at: lastAt,
    tone: 'neutral',
    title: request === 'find' ? 'Looked for it by its reference' : 'Read it at the provider',
    detail: (
      <>
        {result === 'nothing' ? 'nothing found (not proof that there is none)' : inWords(result)}
        {times > 1 ? (
          <>
            , {times} times since <When at={firstAt} />
          </>
        ) : null}
      </>
    ),
  };
}

function ofPeople(row: ActionableRow): Moment[] {
  const released: Moment[] =
    row.release === null
      ? []
      : [
          {
            at: row.release.at,
            tone: 'moving',
            title: `Released by ${row.release.by.name}`,
            detail: row.release.reason === null ? 'the reason was erased' : `“${row.release.reason}”`,
          },
        ];
  const resolutions = row.resolutions.map(
    ({ proposedAt, proposedBy, outcome, reason, state, closedBy }): Moment => ({
      at: proposedAt,
      tone: 'moving',
      title: `${proposedBy.name} says: ${inWords(outcome)}`,
      detail: `${reason === null ? 'the reason was erased' : `“${reason}”`} · ${inWords(state)}${closedBy === null ? '' : ` by ${closedBy.name}`}`,
    }),
  );
  return [...released, ...resolutions];
}
