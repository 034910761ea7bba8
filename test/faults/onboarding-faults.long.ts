import { describeFaults } from './describe-faults.ts';
import { TESTED_ONBOARDING } from './onboarding/chosen-onboarding.ts';
import { runOnboarding } from './onboarding/run-onboarding.ts';

describeFaults(
  'nobody is signed up twice, nobody is lost, and all records agree, with',
  TESTED_ONBOARDING,
  runOnboarding,
  2,
);
