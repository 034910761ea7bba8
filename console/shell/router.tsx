import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Blank, Failed, Page } from '../elements/page.tsx';
import { SecondFactorPage } from '../users/second-factor-page.tsx';
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
    <SignedIn signIn={<SignInPage />} secondFactor={<SecondFactorPage />}>
      <Shell />
    </SignedIn>
  );
}

function NotFound(): ReactNode {
  return (
    <Page title="Page not found">
      <Blank title="There is no page at this address">
        <p>A part of the address may be missing. Use the menu or the search to find the page.</p>
      </Blank>
    </Page>
  );
}

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: () => <Navigate to="/inbox" />,
});

/** Whoever is signed in already. A link that is still in the address is taken by the page for signing in. */
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: () => <Navigate to="/inbox" />,
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
    '/runs/new',
    lazyRouteComponent(() => import('../payment-file/new-run-page.tsx'), 'NewRunPage'),
  ),
  page(
    '/drafts/$draftId',
    lazyRouteComponent(() => import('../payment-file/draft-page.tsx'), 'DraftPage'),
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
  page(
    '/beneficiaries',
    lazyRouteComponent(() => import('../beneficiaries/beneficiaries-page.tsx'), 'BeneficiariesPage'),
  ),
  page(
    '/beneficiaries/new',
    lazyRouteComponent(() => import('../beneficiaries/new-account-page.tsx'), 'NewAccountPage'),
  ),
  page(
    '/beneficiaries/import',
    lazyRouteComponent(() => import('../beneficiaries/import-page.tsx'), 'ImportPage'),
  ),
  page(
    '/beneficiaries/of/$key',
    lazyRouteComponent(() => import('../beneficiaries/beneficiary-page.tsx'), 'BeneficiaryPage'),
  ),
  page(
    '/treasury',
    lazyRouteComponent(() => import('../treasury/order-list-page.tsx'), 'OrderListPage'),
  ),
  page(
    '/treasury/cash',
    lazyRouteComponent(() => import('../treasury/cash-page.tsx'), 'CashPage'),
  ),
  page(
    '/treasury/costs',
    lazyRouteComponent(() => import('../treasury/costs-page.tsx'), 'CostsPage'),
  ),
  page(
    '/treasury/schedules',
    lazyRouteComponent(() => import('../treasury/schedule-list-page.tsx'), 'ScheduleListPage'),
  ),
  page(
    '/treasury/schedules/new',
    lazyRouteComponent(() => import('../treasury/schedule-form-page.tsx'), 'NewSchedulePage'),
  ),
  page(
    '/treasury/schedules/$scheduleId',
    lazyRouteComponent(() => import('../treasury/schedule-page.tsx'), 'SchedulePage'),
  ),
  page(
    '/treasury/schedules/$scheduleId/edit',
    lazyRouteComponent(() => import('../treasury/schedule-form-page.tsx'), 'EditSchedulePage'),
  ),
  page(
    '/treasury/conversions/new',
    lazyRouteComponent(() => import('../treasury/new-order-page.tsx'), 'NewOrderPage'),
  ),
  page(
    '/treasury/conversions/$orderId',
    lazyRouteComponent(() => import('../treasury/order-page.tsx'), 'OrderPage'),
  ),
  page(
    '/onboarding',
    lazyRouteComponent(() => import('../onboarding/case-list-page.tsx'), 'CaseListPage'),
  ),
  page(
    '/onboarding/new',
    lazyRouteComponent(() => import('../onboarding/new-cases-page.tsx'), 'NewCasesPage'),
  ),
  page(
    '/onboarding/$caseId',
    lazyRouteComponent(() => import('../onboarding/case-page.tsx'), 'CasePage'),
  ),
  page(
    '/accounts',
    lazyRouteComponent(() => import('../accounts/balances-page.tsx'), 'BalancesPage'),
  ),
  page(
    '/accounts/history',
    lazyRouteComponent(() => import('../accounts/history-page.tsx'), 'HistoryPage'),
  ),
  page(
    '/accounts/ledger',
    lazyRouteComponent(() => import('../accounts/ledger-page.tsx'), 'LedgerPage'),
  ),
  page(
    '/accounts/receipts',
    lazyRouteComponent(() => import('../accounts/receipts-page.tsx'), 'ReceiptsPage'),
  ),
  page(
    '/accounts/refunds',
    lazyRouteComponent(() => import('../accounts/refunds-page.tsx'), 'RefundsPage'),
  ),
  page(
    '/accounts/deposits',
    lazyRouteComponent(() => import('../accounts/incoming-page.tsx'), 'DepositsPage'),
  ),
  page(
    '/accounts/fundings',
    lazyRouteComponent(() => import('../accounts/incoming-page.tsx'), 'FundingsPage'),
  ),
  page(
    '/accounts/virtual',
    lazyRouteComponent(() => import('../accounts/virtual-accounts-page.tsx'), 'VirtualAccountsPage'),
  ),
  page(
    '/accounts/virtual/new',
    lazyRouteComponent(() => import('../accounts/new-virtual-account-page.tsx'), 'NewVirtualAccountPage'),
  ),
  page(
    '/accounts/virtual/$virtualAccountId',
    lazyRouteComponent(() => import('../accounts/virtual-account-page.tsx'), 'VirtualAccountPage'),
  ),
  page(
    '/reconciliation',
    lazyRouteComponent(() => import('../reconciliation/days-page.tsx'), 'DaysPage'),
  ),
  page(
    '/reconciliation/breaks',
    lazyRouteComponent(() => import('../reconciliation/breaks-page.tsx'), 'BreaksPage'),
  ),
  page(
    '/reconciliation/$day',
    lazyRouteComponent(() => import('../reconciliation/day-page.tsx'), 'DayPage'),
  ),
  page(
    '/operations',
    lazyRouteComponent(() => import('../operations/health-page.tsx'), 'HealthPage'),
  ),
  page(
    '/operations/rate-limiters',
    lazyRouteComponent(() => import('../operations/rate-limiters-page.tsx'), 'RateLimitersPage'),
  ),
  page(
    '/operations/workers',
    lazyRouteComponent(() => import('../operations/workers-page.tsx'), 'WorkersPage'),
  ),
  page(
    '/operations/webhooks',
    lazyRouteComponent(() => import('../operations/webhooks-page.tsx'), 'WebhooksPage'),
  ),
  page(
    '/operations/stops',
    lazyRouteComponent(() => import('../approvals/stops-page.tsx'), 'StopsPage'),
  ),
  page(
    '/operations/deliveries',
    lazyRouteComponent(() => import('../notifications/deliveries-page.tsx'), 'DeliveriesPage'),
  ),
  page(
    '/operations/endpoints',
    lazyRouteComponent(() => import('../notifications/endpoints-page.tsx'), 'EndpointsPage'),
  ),
  page(
    '/admin',
    lazyRouteComponent(() => import('../users/users-page.tsx'), 'UsersPage'),
  ),
  page(
    '/admin/changes',
    lazyRouteComponent(() => import('../approvals/changes-page.tsx'), 'ChangesPage'),
  ),
  page(
    '/admin/sessions',
    lazyRouteComponent(() => import('../users/sessions-page.tsx'), 'SessionsPage'),
  ),
  page(
    '/admin/tokens',
    lazyRouteComponent(() => import('../users/tokens-page.tsx'), 'TokensPage'),
  ),
  page(
    '/admin/policy',
    lazyRouteComponent(() => import('../approvals/policy-page.tsx'), 'PolicyPage'),
  ),
  page(
    '/admin/accounts',
    lazyRouteComponent(() => import('../approvals/provider-accounts-page.tsx'), 'ProviderAccountsPage'),
  ),
  page(
    '/admin/audit',
    lazyRouteComponent(() => import('../audit/audit-page.tsx'), 'AuditPage'),
  ),
  page(
    '/account',
    lazyRouteComponent(() => import('../users/account-page.tsx'), 'AccountPage'),
  ),
];

export const router = createRouter({
  routeTree: root.addChildren([start, signIn, ...pages]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  // What was asked or typed about one run, day or case must not be about the next one.
  defaultRemountDeps: ({ params }) => params,
  scrollRestoration: true,
  defaultErrorComponent: ({ error, reset }) => (
    <div className="page">
      <Failed error={error} onRetry={reset} />
    </div>
  ),
});
