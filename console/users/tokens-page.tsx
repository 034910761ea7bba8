import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { AdminFrame } from './admin-frame.tsx';
import { TokenTable } from './token-table.tsx';

/** Tokens of programs and of the command line, of all users. */
export function TokensPage(): ReactNode {
  return (
    <AdminFrame>
      <p className="muted" style={{ margin: 0 }}>
        Tokens of all users. You create your own under <Link to="/account">your account</Link>.
      </p>
      <TokenTable whose="all" />
    </AdminFrame>
  );
}
