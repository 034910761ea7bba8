import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ApprovalPolicy } from '../../api/approvals/policy.ts';
import { RULES_SENTENCE } from '../../domain/approvals/policy-sentences.ts';
import { api } from '../calls/api.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Section } from '../elements/page.tsx';
import { useMay } from '../shell/session.tsx';
import { AdminFrame } from '../users/admin-frame.tsx';
import { PolicyJson, PolicyOtherParts, PolicyRemarks, PolicyRules } from './policy-change.tsx';
import { PolicyEditor } from './policy-editor.tsx';
import { PolicyOfRun } from './policy-of-run.tsx';
import { PolicyQuestion } from './policy-question.tsx';

/** Which approvals runs need: the first rule that fits applies, for each currency of a run. */
export function PolicyPage(): ReactNode {
  const policy = useQuery({ queryKey: ['policy'], queryFn: ({ signal }) => api.getPolicy({}, { signal }) });
  return (
    <AdminFrame>
      <Loaded query={policy}>
        {(found) => (
          <>
            <Section title="Rules">
              <PolicyRules policy={found} />
              <p className="muted">{RULES_SENTENCE}</p>
              <PolicyRemarks policy={found} />
            </Section>
            <PolicyQuestion proposed={null} />
            <PolicyOfRun policy={found} />
            <Section title="What else the policy says">
              <div className="stack">
                <PolicyOtherParts policy={found} />
                <PolicyJson policy={found} />
              </div>
            </Section>
            <Edit policy={found} />
          </>
        )}
      </Loaded>
    </AdminFrame>
  );
}

function Edit({ policy }: { policy: ApprovalPolicy }): ReactNode {
  const mayManage = useMay('manage_users');
  const [isOpen, setOpen] = useState(false);
  if (!mayManage) return null;
  if (isOpen) return <PolicyEditor policy={policy} onClose={() => setOpen(false)} />;
  return (
    <div>
      <Button variant="default" onClick={() => setOpen(true)}>
        Change the policy …
      </Button>
    </div>
  );
}
