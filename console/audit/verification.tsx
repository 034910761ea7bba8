import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AuditReport } from '../../api/audit/audit.ts';
import { api } from '../calls/api.ts';
import { When } from '../elements/values.tsx';
import { counted, formatCount } from '../elements/formats.ts';
import { Failed, Notice } from '../elements/page.tsx';
import { useAction } from '../elements/use-action.tsx';

/** Whether the whole trail is unbroken, and has what somebody noted of it elsewhere. */
export function Verification(): ReactNode {
  const [head, setHead] = useState('');
  const verify = useAction(async (noted: string | null) => ({ noted, report: await api.verifyAudit({ head: noted }) }));
  return (
    <div className="stack">
      <div className="filters no-print">
        <TextInput
          label="A head that was noted earlier (optional)"
          placeholder="POSITION:HASH"
          w={320}
          value={head}
          onChange={(event) => setHead(event.currentTarget.value)}
        />
        <Button
          variant="default"
          loading={verify.isRunning}
          onClick={() => verify.do(head.trim() === '' ? null : head.trim())}
        >
          Verify the whole trail
        </Button>
      </div>
      {verify.error === null ? null : <Failed error={verify.error} />}
      {verify.answer === undefined ? null : <Report {...verify.answer} />}
    </div>
  );
}

type Problem = NonNullable<AuditReport['broken']>['problem'];

const PROBLEMS: Readonly<Record<Problem, string>> = {
  link_missing: 'Its link is missing',
  entry_missing: 'The entry was removed',
  entry_not_chained: 'The entry was inserted between chained ones',
  out_of_order: 'The entry does not come after the one before it',
  hash_differs: 'The entry, its link or their order was altered',
  head_differs: 'The noted head is not in the chain: the trail was rebuilt, or its end was cut off',
};

function Report({ noted, report }: { noted: string | null; report: AuditReport }): ReactNode {
  const { broken, chained, head, unchained, unchainedSince } = report;
  if (broken !== null) {
    const { position, entryId, problem } = broken;
    const where = `position ${formatCount(position)}${entryId === null ? '' : `, entry ${formatCount(entryId)}`}`;
    return (
      <Notice tone="failed" title={`Broken at ${where}`}>
        {PROBLEMS[problem]}. {counted(chained, 'entry', 'entries')} before it are as they were. Stop payments, and have
        the database looked at.
      </Notice>
    );
  }
  return (
    <Notice tone="paid" title={`Unbroken: ${counted(chained, 'chained entry', 'chained entries')} are as they were`}>
      {noted === null ? null : <div>The head that you noted is in the chain.</div>}
      {unchained === 0 ? null : (
        <div>
          {counted(unchained, 'entry', 'entries')} not chained yet, since <When at={unchainedSince} isExact />.
        </div>
      )}
      {head === null ? null : (
        <div>
          Note it elsewhere:{' '}
          <code className="mono">
            {head.position}:{head.hash}
          </code>
        </div>
      )}
    </Notice>
  );
}
