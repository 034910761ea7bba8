import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApprovalPolicy } from '../../api/approvals/policy.ts';
import { api } from '../calls/api.ts';
import { formatAmount } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Facts, Notice } from '../elements/page.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { policyDifferences } from '../../domain/approvals/policy-differences.ts';
import { conditionsInWords, otherParts, type Rule, stepsInWords } from '../../domain/approvals/policy-sentences.ts';
import { capitalized } from '../../domain/capitalized.ts';

const RULES: readonly Column<Rule>[] = [
  { name: 'Rule', cell: ({ name }) => <strong>{name}</strong> },
  { name: 'When', cell: ({ when }) => conditionsInWords(when, formatAmount) },
  { name: 'Approvals, in this order', cell: ({ steps }) => stepsInWords(steps) },
];

/** The rules in their order. */
export function PolicyRules({ policy }: { policy: ApprovalPolicy }): ReactNode {
  const places = new Map(policy.rules.map((rule, place) => [rule, place]));
  return <Table label="Rules" rows={policy.rules} columns={RULES} keyOf={(rule) => String(places.get(rule))} />;
}

/** Everything but the rules. */
export function PolicyOtherParts({ policy }: { policy: ApprovalPolicy }): ReactNode {
  return <Facts of={otherParts(policy, formatAmount).map(({ name, says }) => [name, capitalized(says)])} />;
}

export function PolicyJson({ policy }: { policy: unknown }): ReactNode {
  return (
    <details>
      <summary>As JSON</summary>
      <pre className="mono" style={{ margin: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {JSON.stringify(policy, null, 2)}
      </pre>
    </details>
  );
}

/** What another policy changes: the one in force beside it, in words. */
export function PolicyComparison({
  inForce,
  proposed,
}: {
  inForce: ApprovalPolicy;
  proposed: ApprovalPolicy;
}): ReactNode {
  const differences = policyDifferences(inForce, proposed, formatAmount);
  if (differences.length === 0) return <Notice tone="neutral">It says the same as the policy in force.</Notice>;
  return (
    <div className="table-wrap">
      <table className="change" aria-label="The policy in force beside the proposed one">
        <thead>
          <tr>
            <th scope="col">What differs</th>
            <th scope="col">In force</th>
            <th scope="col">Proposed</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ name, before, after }) => (
            <tr key={name} data-differs>
              <th scope="row" style={{ whiteSpace: 'normal' }}>
                {name}
              </th>
              <td>{before === null ? <span className="muted">not there</span> : <del>{before}</del>}</td>
              <td>{after === null ? <mark>not there any more</mark> : <mark>{after}</mark>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What the server remarks on a policy, which nobody has proposed yet, or somebody has. */
export function PolicyRemarks({ policy }: { policy: ApprovalPolicy }): ReactNode {
  const checked = useQuery({
    queryKey: ['policy-check', JSON.stringify(policy)],
    queryFn: ({ signal }) => api.checkPolicy({ policy }, { signal }),
    // The same policy has the same remarks, and a question that is sent with a body counts as a use of the session.
    staleTime: 'static',
  });
  return (
    <Loaded query={checked} lines={1}>
      {({ remarks }) => <RemarkList remarks={remarks} />}
    </Loaded>
  );
}

export function RemarkList({ remarks }: { remarks: readonly string[] }): ReactNode {
  if (remarks.length === 0) return null;
  return (
    <Notice tone="waiting" title="What is easily overlooked in it">
      <ul style={{ margin: 0, paddingLeft: 20 }}>
        {remarks.map((remark) => (
          <li key={remark}>{capitalized(remark)}.</li>
        ))}
      </ul>
    </Notice>
  );
}
