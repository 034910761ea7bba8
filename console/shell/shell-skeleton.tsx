import type { ReactNode } from 'react';
import { Skeleton } from '../elements/page.tsx';

/** The frame of the pages, before it is known who looks at them. */
export function ShellSkeleton(): ReactNode {
  return (
    <div className="shell">
      <div className="rail" />
      <div className="top-bar" />
      <main className="content">
        <div className="page">
          <Skeleton lines={8} />
        </div>
      </main>
    </div>
  );
}
