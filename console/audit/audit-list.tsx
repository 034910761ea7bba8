import type { ReactNode } from 'react';
import type { AuditEntrySummary } from '../../api/audit/audit.ts';
import { When } from '../elements/values.tsx';
import { inWords } from '../elements/formats.ts';
import { EraseRemark } from './erase-remark.tsx';
import { capitalized } from '../../domain/capitalized.ts';

/** What happened, in order: when, who, what, and what they wrote. */
export function AuditList({ entries }: { entries: readonly AuditEntrySummary[] }): ReactNode {
  return (
    <ol className="timeline">
      {entries.map((entry) => (
        <li key={entry.entryId} data-tone={entry.person === null ? undefined : 'moving'}>
          <div className="row spread">
            <strong>{capitalized(inWords(entry.kind))}</strong>
            <span className="muted small">
              <When at={entry.at} isExact />
            </span>
          </div>
          <div className="small">
            {entry.person ?? <span className="muted">{entry.actor}</span>}
            {entry.rowRef === null ? null : ` · ${entry.rowRef}`}
            {entry.line === null ? null : ` · line ${entry.line}`}
          </div>
          {entry.remark === null ? null : (
            <div className="row">
              <span>“{entry.remark}”</span>
              <EraseRemark remarkId={entry.detail.remark} text={entry.remark} />
            </div>
          )}
          <Detail detail={entry.detail} />
        </li>
      ))}
    </ol>
  );
}

function Detail({ detail }: { detail: Readonly<Record<string, unknown>> }): ReactNode {
  const parts = Object.entries(detail).filter(([, value]) => value !== null && value !== '');
  if (parts.length === 0) return null;
  return (
    <div className="mono muted">
      {parts
        .map(([name, value]) => `${inWords(name)}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
        .join(' · ')}
    </div>
  );
}
