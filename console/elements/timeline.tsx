import type { ReactNode } from 'react';
import { When } from './values.tsx';
import type { Tone } from './mark.tsx';

export interface Moment {
  /** ISO 8601. */
  at: string;
  tone?: Tone;
  title: string;
  detail: ReactNode;
}

/** What happened, in the order given. */
export function Timeline({ moments }: { moments: readonly Moment[] }): ReactNode {
  return (
    <ol className="timeline">
      {moments.map(({ at, tone, title, detail }, index) => (
        <li key={`${at}${index}`} data-tone={tone}>
          <div className="row spread">
            <strong>{title}</strong>
            <span className="muted small">
              <When at={at} isExact />
            </span>
          </div>
          <div className="small">{detail}</div>
        </li>
      ))}
    </ol>
  );
}
