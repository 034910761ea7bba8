import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AllowedAction } from '../../api/approvals/allowed-actions.ts';
import type { BreakSummary } from '../../api/reconciliation/break.ts';
import { allows } from '../approvals/allowed.tsx';
import { readActions } from '../calls/approval-calls.ts';
import { actOnBreak, listBreaks } from '../calls/reconciliation-calls.ts';
import { ChangedMeanwhile } from '../elements/changed-meanwhile.tsx';
import { ReasonDialog } from '../elements/dialog.tsx';
import { Money } from '../elements/figures.tsx';
import { capitalised, formatCount, formatDuration, inWords } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Mark, type Tone } from '../elements/mark.tsx';
import { Notice, Section } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { useAskedAbout } from '../elements/use-asked-about.ts';

const TONES: Readonly<Record<BreakSummary['state'], Tone>> = {
  open: 'failed',
  explained: 'waiting',
  closed: 'paid',
  no_longer_found: 'neutral',
};

const MOST = 1_000;

/** The differences of a day: one person explains each, another one closes it. */
export function Breaks({ account, day }: { account: string; day: string }): ReactNode {
  const breaks = useQuery({
    queryKey: ['days', day, account, 'breaks'],
    queryFn: ({ signal }) => listBreaks({ account, from: day, to: day, state: 'all', limit: MOST }, signal),
  });
  const ids =
    breaks.data?.filter(({ state }) => state === 'open' || state === 'explained').map(({ breakId }) => breakId) ?? [];
  const actions = useQuery({
    queryKey: ['days', day, account, 'actions', ids],
    queryFn: ({ signal }) => readActions('break', ids, signal),
    enabled: ids.length > 0,
  });
  return (
    <Section title="Differences">
      <Loaded query={breaks} lines={3}>
        {(list) =>
          list.length === 0 ? (
            <Mark tone="paid">None: the difference is 0.00.</Mark>
          ) : (
            <div className="stack">
              {list.map((each) => (
                <Break key={each.breakId} of={each} allowed={actions.data?.get(each.breakId) ?? []} />
              ))}
              {list.length < MOST ? null : (
                <Notice tone="waiting">The first {formatCount(MOST)} are shown: there are more.</Notice>
              )}
            </div>
          )
        }
      </Loaded>
    </Section>
  );
}

type Verb = 'explain' | 'close' | 'reopen';
const VERBS: Readonly<Record<Verb, string>> = { explain: 'Explain', close: 'Close', reopen: 'Reopen' };

function Break({ of, allowed }: { of: BreakSummary; allowed: readonly AllowedAction[] }): ReactNode {
  const asked = useAskedAbout<Verb>([of.breakId, of.state, of.explanationId].join(' '));
  const { type, currency, expected, found, reason, state, explanation, explainedBy, closedBy } = of;
  const verbs = (Object.keys(VERBS) as Verb[]).filter((verb) => allows(allowed, verb));
  return (
    <div className="card stack" style={{ gap: 8 }}>
      <ChangedMeanwhile what="The difference" asked={asked} />
      <div className="row spread">
        <Mark tone={TONES[state]}>
          <strong>{capitalised(inWords(type))}</strong> · {inWords(state)}
        </Mark>
        <span className="muted small">{formatDuration(of.ageSeconds)} old</span>
      </div>
      <span>{reason}</span>
      <div className="row" style={{ gap: 24 }}>
        <span>
          Ours <Money amount={expected} currency={currency} />
        </span>
        <span>
          Theirs <Money amount={found} currency={currency} />
        </span>
      </div>
      {explainedBy === null ? null : (
        <span>
          {explainedBy.name}: {explanation === null ? 'the explanation was erased' : `“${explanation}”`}
        </span>
      )}
      {closedBy === null ? null : <span className="muted">Closed by {closedBy.name}</span>}
      {verbs.length === 0 ? null : (
        <div className="row no-print">
          {verbs.map((verb) => (
            <Button key={verb} size="xs" variant="default" onClick={() => asked.open(verb)}>
              {VERBS[verb]} …
            </Button>
          ))}
        </div>
      )}
      {asked.question === null ? null : <BreakDialog of={of} verb={asked.question} onClose={asked.close} />}
    </div>
  );
}

function BreakDialog({ of, verb, onClose }: { of: BreakSummary; verb: Verb; onClose: () => void }): ReactNode {
  const { breakId, explanationId } = of;
  const act = useAction(
    (reason: string | null) => actOnBreak(breakId, verb, verb === 'close' ? { explanationId } : { reason }),
    { changes: [['days'], ['inbox']], then: onClose },
  );
  const asked = { explain: 'required', close: 'none', reopen: 'optional' } as const;
  return (
    <ReasonDialog
      title={`${VERBS[verb]} the difference?`}
      verb={VERBS[verb]}
      reason={asked[verb]}
      reasonLabel={verb === 'explain' ? 'What it is: another person reads it, and closes the difference' : undefined}
      action={act}
      isOpen
      onClose={onClose}
    >
      <span>{of.reason}</span>
      {verb === 'close' ? <span>“{of.explanation ?? 'the explanation was erased'}”</span> : null}
    </ReasonDialog>
  );
}
