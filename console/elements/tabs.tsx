import { Link, useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';

/** Parts of a subject, each with an address of its own. */
export function Tabs({ label, of }: { label: string; of: readonly { to: string; name: ReactNode }[] }): ReactNode {
  const { pathname } = useLocation();
  const tabs = useRef<HTMLElement>(null);
  // Where they do not all fit, the page that is shown is among those in sight.
  useEffect(() => {
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  return (
    <nav ref={tabs} className="tabs no-print" aria-label={label}>
      {of.map(({ to, name }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true, includeSearch: false }}
          activeProps={{}}
          aria-current={pathname === to ? 'page' : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
