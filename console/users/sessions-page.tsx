import type { ReactNode } from 'react';
import { AdminFrame } from './admin-frame.tsx';
import { SessionTable } from './session-table.tsx';

/** Who is signed in at the console, and where. */
export function SessionsPage(): ReactNode {
  return (
    <AdminFrame>
      <SessionTable whose="all" />
    </AdminFrame>
  );
}
