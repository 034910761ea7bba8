import { Button } from '@mantine/core';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AllowedAction } from '../../api/approvals/allowed-actions.ts';
import type { ChangeSummary } from '../../api/approvals/change.ts';
import type { ApprovalPolicy } from '../../api/approvals/policy.ts';
import { api } from '../calls/api.ts';
import { ReasonDialog } from '../elements/dialog.tsx';
import { When } from '../elements/values.tsx';
import { inWords } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Mark } from '../elements/mark.tsx';
import { Facts } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';
import { allows } from './allowed.tsx';
import { effectInWords } from './change-words.ts';
import { PolicyComparison, PolicyJson, PolicyOtherParts, PolicyRemarks, PolicyRules } from './policy-change.tsx';

export type ChangeVerb = 'confirm' | 'reject';

/** How often what waits, and what it would replace, is read again. */
export const EVERY_MS = 15_000;

const TONES = { pending: 'waiting', effective: 'paid', rejected: 'failed', replaced: 'failed' } as const;

/** One change: what it does, who proposed it, who decided. `onAsk` null: nothing can be decided about it. */
export function ChangeCard(props: {
  change: ChangeSummary;
  allowed: readonly AllowedAction[];
  onAsk: ((verb: ChangeVerb) => void) | null;
}): ReactNode {
  const { change, allowed, onAsk } = props;
  const { state, proposedBy, proposedAt, decidedBy, decidedAt } = change;
  return (
    <div className="card stack" style={{ gap: 8 }}>
      <div className="row spread">
        <Mark tone={TONES[state]}>
          <strong>{effectInWords(change)}</strong>
        </Mark>
        <span className="muted small">{inWords(state)}</span>
      </div>
      <ProposedPolicy change={change} />
      <span className="muted small">
        Proposed by {proposedBy?.name ?? 'payrun'} <When at={proposedAt} />
        {decidedBy === null ? null : (
          <>
            {' '}
            · decided by {decidedBy.name} <When at={decidedAt} />
          </>
        )}
        <TakesEffect change={change} />
      </span>
      {onAsk === null ? null : (
        <div className="row">
          {allows(allowed, 'confirm') ? (
            <Button size="xs" onClick={() => onAsk('confirm')}>
              Confirm …
            </Button>
          ) : null}
          {allows(allowed, 'reject') ? (
            <Button size="xs" variant="default" onClick={() => onAsk('reject')}>
              Object …
            </Button>
          ) : null}
        </div>
      )}
    </div>
  );
}

function TakesEffect({ change: { state, takesEffectAt } }: { change: ChangeSummary }): ReactNode {
  if (state !== 'pending' || takesEffectAt === null) return null;
  return (
    <>
      {' '}
      · takes effect by itself <When at={takesEffectAt} />
    </>
  );
}

/** What the change makes of the policy: while it waits, beside the one in force. The server has checked it. */
function ProposedPolicy({ change: { kind, detail, state } }: { change: ChangeSummary }): ReactNode {
  const proposed = detail['policy'] as ApprovalPolicy | undefined;
  if (kind !== 'set_policy' || proposed === undefined) return null;
  return (
    <div className="stack">
      {state === 'pending' ? (
        <BesidePolicyInForce proposed={proposed} />
      ) : (
        <details>
          <summary>What it says</summary>
          <PolicyRules policy={proposed} />
          <PolicyOtherParts policy={proposed} />
        </details>
      )}
      <PolicyJson policy={proposed} />
    </div>
  );
}

function BesidePolicyInForce({ proposed }: { proposed: ApprovalPolicy }): ReactNode {
  const inForce = usePolicyInForce();
  return (
    <>
      <Loaded query={inForce} lines={3}>
        {(policy) => <PolicyComparison inForce={policy} proposed={proposed} />}
      </Loaded>
      <PolicyRemarks policy={proposed} />
    </>
  );
}

export function usePolicyInForce(): UseQueryResult<ApprovalPolicy> {
  return useQuery({
    queryKey: ['policy'],
    queryFn: ({ signal }) => api.getPolicy({}, { signal }),
    refetchInterval: EVERY_MS,
  });
}

const VERBS = {
  confirm: {
    call: 'confirmChange',
    title: 'Confirm this change?',
    verb: 'Confirm the change',
    says: 'It takes effect at once.',
  },
  reject: {
    call: 'rejectChange',
    title: 'Object to this change?',
    verb: 'Reject the change',
    says: 'It never takes effect.',
  },
} as const;

/** Says once more whom a change affects and what it does: in a list that moves, the wrong one is soon clicked. */
export function ChangeDialog(props: { change: ChangeSummary; verb: ChangeVerb; onClose: () => void }): ReactNode {
  const { change, verb, onClose } = props;
  const { user, proposedBy, proposedAt } = change;
  const words = VERBS[verb];
  const decide = useAction(() => api[words.call]({ changeId: change.changeId }), {
    changes: [['changes'], ['users'], ['inbox'], ['actions'], ['policy'], ['endpoints']],
    then: onClose,
  });
  return (
    <ReasonDialog
      title={words.title}
      verb={words.verb}
      reason="none"
      isDangerous={verb === 'reject'}
      action={decide}
      isOpen
      onClose={onClose}
    >
      <Facts
        of={[
          ['Whom it affects', user?.name ?? 'no single user'],
          ['What it does', effectInWords(change)],
          [
            'Proposed by',
            <span key="p">
              {proposedBy?.name ?? 'payrun'} <When at={proposedAt} />
            </span>,
          ],
        ]}
      />
      <ProposedPolicy change={change} />
      <p style={{ margin: 0 }}>{words.says}</p>
    </ReasonDialog>
  );
}
