import {
  IconAddressBook,
  IconArrowsExchange,
  IconBuildingBank,
  IconFileDollar,
  IconInbox,
  IconScale,
  IconSettings,
  IconTool,
  IconUserCheck,
} from '@tabler/icons-react';
import type { Session } from '../../api/users/session.ts';

/** The parts of the console, each for whoever may see something there. */
export interface Area {
  name: string;
  to: string;
  icon: typeof IconInbox;
  needs: Session['permissions'][number];
}

export const AREAS: readonly Area[] = [
  { name: 'Inbox', to: '/inbox', icon: IconInbox, needs: 'read_runs' },
  { name: 'Runs', to: '/runs', icon: IconFileDollar, needs: 'read_runs' },
  { name: 'Beneficiaries', to: '/beneficiaries', icon: IconAddressBook, needs: 'read_instructions' },
  { name: 'Treasury', to: '/treasury', icon: IconArrowsExchange, needs: 'read_runs' },
  { name: 'Onboarding', to: '/onboarding', icon: IconUserCheck, needs: 'read_cases' },
  { name: 'Accounts', to: '/accounts', icon: IconBuildingBank, needs: 'read_runs' },
  { name: 'Reconciliation', to: '/reconciliation', icon: IconScale, needs: 'read_runs' },
  { name: 'Operations', to: '/operations', icon: IconTool, needs: 'read_runs' },
  { name: 'Admin', to: '/admin', icon: IconSettings, needs: 'read_runs' },
];
