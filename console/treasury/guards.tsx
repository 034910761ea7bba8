import type { ReactNode } from 'react';
import type { OrderFinding } from '../../api/treasury/order.ts';
import { inWords } from '../elements/formats.ts';
import { Mark } from '../elements/mark.tsx';
import { capitalized } from '../../domain/capitalized.ts';

const TONES = { passes: 'paid', refuses: 'failed', not_set: 'neutral' } as const;

/** What each guard says of a quote. */
export function Guards({ findings }: { findings: readonly OrderFinding[] }): ReactNode {
  if (findings.length === 0) return <span className="muted">There is no quote yet that they could look at.</span>;
  return (
    <ul style={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 8 }}>
      {findings.map(({ guard, verdict, message }) => (
        <li key={guard}>
          <Mark tone={TONES[verdict]}>
            <strong>{capitalized(inWords(guard))}</strong>
          </Mark>
          <div className="muted small" style={{ marginLeft: 24 }}>
            {message}
          </div>
        </li>
      ))}
    </ul>
  );
}
