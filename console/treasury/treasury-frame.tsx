import { Button } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../elements/page.tsx';
import { Tabs } from '../elements/tabs.tsx';
import { useMay } from '../shell/session.tsx';

export function TreasuryFrame({ children }: { children: ReactNode }): ReactNode {
  const isOfSchedules = useLocation().pathname === '/treasury/schedules';
  return (
    <Page
      title="Treasury"
      under="Conversions between your balances, by hand and by schedule, and what comes of them"
      actions={
        useMay('convert') ? (
          isOfSchedules ? (
            <Button component={Link} to="/treasury/schedules/new">
              New schedule
            </Button>
          ) : (
            <Button component={Link} to="/treasury/conversions/new">
              New conversion
            </Button>
          )
        ) : undefined
      }
    >
      <Tabs
        label="Parts of treasury"
        of={[
          { to: '/treasury', name: 'Conversions' },
          { to: '/treasury/schedules', name: 'Schedules' },
          { to: '/treasury/cash', name: 'Cash view' },
          { to: '/treasury/costs', name: 'Costs' },
        ]}
      />
      {children}
    </Page>
  );
}
