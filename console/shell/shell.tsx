import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { FactorDialog } from '../approvals/factor-dialog.tsx';
import { WaitingChanges } from '../approvals/waiting-changes.tsx';
import { api } from '../calls/api.ts';
import { formatCount } from '../elements/formats.ts';
import { Skeleton } from '../elements/page.tsx';
import { AREAS } from './areas.ts';
import { KeysDialog, useKeys } from './keys.tsx';
import { Live, useTopic } from './live.tsx';
import { SearchDialog } from './search-dialog.tsx';
import { useSession } from './session.tsx';
import { TopBar } from './top-bar.tsx';

/** What surrounds every page: where one is, search, who one is, and whether the page is live. */
export function Shell(): ReactNode {
  return (
    <Live>
      <Frame />
    </Live>
  );
}

function Frame(): ReactNode {
  const [isRailOpen, setRailOpen] = useState(false);
  const [isSearching, setSearching] = useState(false);
  const [areKeysShown, setKeysShown] = useState(false);
  const { pathname } = useLocation();
  useEffect(() => setRailOpen(false), [pathname]);
  useKeys({ search: () => setSearching(true), help: () => setKeysShown(true) });
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to the page
      </a>
      <Rail isOpen={isRailOpen} />
      <TopBar
        isRailOpen={isRailOpen}
        onRail={() => setRailOpen(!isRailOpen)}
        onSearch={() => setSearching(true)}
        onKeys={() => setKeysShown(true)}
      />
      <main className="content" id="content" tabIndex={-1}>
        <WaitingChanges />
        <Suspense
          fallback={
            <div className="page">
              <Skeleton lines={8} />
            </div>
          }
        >
          <Outlet />
        </Suspense>
      </main>
      <SearchDialog isOpen={isSearching} onClose={() => setSearching(false)} />
      <FactorDialog />
      <KeysDialog isOpen={areKeysShown} onClose={() => setKeysShown(false)} />
    </div>
  );
}

function Rail({ isOpen }: { isOpen: boolean }): ReactNode {
  const { permissions } = useSession();
  const { pathname } = useLocation();
  useTopic('inbox');
  const inbox = useQuery({
    queryKey: ['inbox'],
    queryFn: ({ signal }) => api.getInbox({}, { signal }),
    refetchInterval: 60_000,
  });
  const count = inbox.data?.count ?? 0;
  return (
    <nav className="rail" data-open={isOpen} aria-label="Parts of payrun">
      <Link to="/inbox" className="brand wide-only">
        payrun
      </Link>
      {AREAS.filter(({ needs }) => permissions.includes(needs)).map(({ name, to, icon: Icon }) => {
        const isCurrent = pathname === to || pathname.startsWith(`${to}/`);
        return (
          <Link
            key={to}
            to={to}
            className="rail-link"
            data-current={isCurrent}
            aria-current={isCurrent ? 'page' : undefined}
          >
            <Icon size={18} aria-hidden="true" stroke={1.7} />
            {name}
            {to === '/inbox' && count > 0 ? (
              <span className="rail-count">
                {formatCount(count)}
                <span className="unseen"> waiting</span>
              </span>
            ) : null}
          </Link>
        );
      })}
    </nav>
  );
}
