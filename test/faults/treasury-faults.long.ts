import { describeFaults } from './describe-faults.ts';
import { CHOSEN_TREASURY } from './treasury/chosen-treasury.ts';
import { runTreasury } from './treasury/run-treasury.ts';

describeFaults(
  'nothing is converted or paid twice, nothing is lost, and all records agree, with',
  CHOSEN_TREASURY,
  runTreasury,
  2,
);
