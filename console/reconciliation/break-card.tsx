import { Autocomplete, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { AllowedAction } from '../../api/approvals/allowed-actions.ts';
import type { BreakSummary } from '../../api/reconciliation/break.ts';
import { allows } from '../approvals/allowed.tsx';
import { EraseRemark } from '../audit/erase-remark.tsx';
import { api } from '../calls/api.ts';
import { ChangedMeanwhile } from '../elements/changed-meanwhile.tsx';
import { ReasonDialog } from '../elements/dialog.tsx';
import { Money } from '../elements/values.tsx';
import { formatDuration, inWords } from '../elements/formats.ts';
import { useAction } from '../elements/use-action.tsx';
import { useAskedAbout } from '../elements/use-asked-about.ts';
import { useMay, useSession } from '../shell/session.tsx';
import { useUsers } from '../users/use-users.ts';
import { placesOf } from './break-places.ts';
import { BreakMark } from './break-words.tsx';
import { atDecimalsOf } from './day-amounts.ts';
import { capitalized } from '../../domain/capitalized.ts';

type Verb = 'explain' | 'close' | 'reopen';
const VERBS: Readonly<Record<Verb, string>> = { explain: 'Explain', close: 'Close', reopen: 'Reopen' };

/** One difference: what it is about, who looks after it, and what one may do about it now. */
export function BreakCard({ of, allowed }: { of: BreakSummary; allowed: readonly AllowedAction[] }): ReactNode {
  const asked = useAskedAbout<Verb>([of.breakId, of.state, of.explanationId].join(' '));
  const askedOwner = useAskedAbout<'assign'>([of.breakId, of.state, of.owner?.userId].join(' '));
  const { type, currency, expected, found, reason, state, explanation, explainedBy, closedBy, owner } = of;
  const verbs = (Object.keys(VERBS) as Verb[]).filter((verb) => allows(allowed, verb));
  return (
    <div className="card stack" style={{ gap: 8 }}>
      <ChangedMeanwhile what="The difference" asked={asked} />
      <ChangedMeanwhile what="Who looks after the difference" asked={askedOwner} />
      <div className="row spread">
        <BreakMark state={state}>
          <strong>{capitalized(inWords(type))}</strong> ·{' '}
        </BreakMark>
        <span className="muted small">
          {owner === null ? 'nobody looks after it' : `${owner.name} looks after it`} · {formatDuration(of.ageSeconds)}{' '}
          old
        </span>
      </div>
      <span>
        {reason}
        {of.isAmbiguous ? ' Others have the same amount: it may be any of them.' : ''}
      </span>
      <div className="row" style={{ gap: 24 }}>
        <span>
          Ours <Money amount={atDecimalsOf(currency, expected)} currency={currency} />
        </span>
        <span>
          Theirs <Money amount={atDecimalsOf(currency, found)} currency={currency} />
        </span>
      </div>
      <Places of={of} />
      {explainedBy === null ? null : (
        <div className="row">
          <span>
            {explainedBy.name}: {explanation === null ? 'the explanation was erased' : `“${explanation}”`}
          </span>
          {explanation === null ? null : (
            <EraseRemark key={of.explanationId} remarkId={of.explanationId} text={explanation} />
          )}
        </div>
      )}
      {closedBy === null ? null : <span className="muted">Closed by {closedBy.name}</span>}
      {verbs.length === 0 ? null : (
        <div className="row no-print">
          {verbs.map((verb) => (
            <Button key={verb} size="xs" variant="default" onClick={() => asked.open(verb)}>
              {VERBS[verb]} …
            </Button>
          ))}
          {/* The server lets those assign a difference who may explain it. */}
          {allows(allowed, 'explain') ? (
            <Button size="xs" variant="default" onClick={() => askedOwner.open('assign')}>
              Assign …
            </Button>
          ) : null}
        </div>
      )}
      {asked.question === null ? null : <BreakDialog of={of} verb={asked.question} onClose={asked.close} />}
      {askedOwner.question === null ? null : <AssignBreak of={of} onClose={askedOwner.close} />}
    </div>
  );
}

function Places({ of }: { of: BreakSummary }): ReactNode {
  const places = placesOf(of);
  if (places.length === 0) return null;
  return (
    <div className="row small" style={{ gap: '4px 16px', flexWrap: 'wrap', overflowWrap: 'anywhere' }}>
      {places.map(({ name, href }) =>
        href === null ? (
          <span key={name} className="muted">
            {name}
          </span>
        ) : (
          <Link key={name} to={href}>
            {name}
          </Link>
        ),
      )}
    </div>
  );
}

function BreakDialog({ of, verb, onClose }: { of: BreakSummary; verb: Verb; onClose: () => void }): ReactNode {
  const { breakId, explanationId } = of;
  const act = useAction(
    (reason: string | null) => {
      switch (verb) {
        case 'explain':
          return api.explainBreak({ breakId, reason: reason ?? '' });
        case 'close':
          return api.closeBreak({ breakId, explanationId: explanationId ?? '' });
        case 'reopen':
          return api.reopenBreak({ breakId, reason });
      }
    },
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

/** Who is to find out about a difference. Who may not read the list of users gives the login of a colleague. */
function AssignBreak({ of, onClose }: { of: BreakSummary; onClose: () => void }): ReactNode {
  const { user } = useSession();
  const mayList = useMay('read_audit');
  const users = useUsers(mayList);
  const [login, setLogin] = useState(user.login ?? '');
  const assign = useAction(() => api.assignBreak({ breakId: of.breakId, login: login.trim() }), {
    changes: [['days'], ['inbox']],
    then: onClose,
  });
  const known = users.data?.filter(({ disabledAt }) => disabledAt === null).flatMap((each) => each.login ?? []) ?? [];
  return (
    <ReasonDialog
      title="Who looks after the difference?"
      verb="Assign"
      reason="none"
      action={assign}
      isOpen
      isBlocked={login.trim() === ''}
      onClose={onClose}
    >
      <span>{of.reason}</span>
      <Autocomplete label="Login of a maker or checker" required data={known} value={login} onChange={setLogin} />
    </ReasonDialog>
  );
}
