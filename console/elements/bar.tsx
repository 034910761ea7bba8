import type { ReactNode } from 'react';
import { formatCount } from './formats.ts';
import { Mark, type Tone } from './mark.tsx';

export interface BarPart {
  label: string;
  tone: Tone;
  count: number;
}

/** Parts of a whole, with their exact numbers beside them. */
export function Bar({ label, parts }: { label: string; parts: readonly BarPart[] }): ReactNode {
  const shown = parts.filter(({ count }) => count > 0);
  const text = shown.map((part) => `${part.label} ${formatCount(part.count)}`).join(', ');
  return (
    <div>
      <div className="bar" role="img" aria-label={`${label}: ${text}`}>
        {shown.map((part) => (
          <div key={part.label} className="bar-part" data-tone={part.tone} style={{ flexGrow: part.count }} />
        ))}
      </div>
      <ul className="legend">
        {shown.map((part) => (
          <li key={part.label}>
            <Mark tone={part.tone}>
              {part.label} <strong className="numbers">{formatCount(part.count)}</strong>
            </Mark>
          </li>
        ))}
      </ul>
    </div>
  );
}
