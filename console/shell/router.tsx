import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Blank, Failed, Page } from '../elements/page.tsx';
import { SignInPage } from '../users/sign-in-page.tsx';
import { parseSearch, stringifySearch } from './plain-search.ts';
import { SignedIn } from './session.tsx';
import { Shell } from './shell.tsx';

const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFound,
});

function Root(): ReactNode {
  return (
    <SignedIn signIn={<SignInPage />}>
      <Shell />
    </SignedIn>
  );
}

function NotFound(): ReactNode {
  return (
    <Page title="There is no such page">
      <Blank title="The address leads nowhere">
        <p>Perhaps a part of it is missing. The menu and the search lead on.</p>
      </Blank>
    </Page>
  );
}

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/inbox' });
  },
});

/** Every page is loaded when it is opened for the first time. */
function page(path: string, component: Parameters<typeof createRoute>[0]['component']) {
  return createRoute({ getParentRoute: () => root, path, component });
}

const pages = [
  page(
    '/inbox',
    lazyRouteComponent(() => import('../inbox/inbox-page.tsx'), 'InboxPage'),
  ),
  page(
    '/runs',
    lazyRouteComponent(() => import('../runs/run-list-page.tsx'), 'RunListPage'),
  ),
  page(
    '/runs/$runId',
    lazyRouteComponent(() => import('../runs/run-page.tsx'), 'RunPage'),
  ),
  page(
    '/runs/$runId/decide',
    lazyRouteComponent(() => import('../approvals/decide-page.tsx'), 'DecidePage'),
  ),
  page(
    '/runs/$runId/rows',
    lazyRouteComponent(() => import('../payments/rows-page.tsx'), 'RowsPage'),
  ),
  page(
    '/runs/$runId/files',
    lazyRouteComponent(() => import('../runs/files-page.tsx'), 'FilesPage'),
  ),
  page(
    '/runs/$runId/audit',
    lazyRouteComponent(() => import('../runs/run-audit-page.tsx'), 'RunAuditPage'),
  ),
];

export const router = createRouter({
  routeTree: root.addChildren([start, ...pages]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: ({ error, reset }) => (
    <div className="page">
      <Failed error={error} onRetry={reset} />
    </div>
  ),
});
