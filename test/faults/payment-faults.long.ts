import { LONGER_SCENARIOS } from './chosen-scenarios.ts';
import { describeFaults } from './describe-faults.ts';
import { runScenario } from './run-scenario.ts';

describeFaults('no row is paid twice, none is lost, and all records agree, with', LONGER_SCENARIOS, runScenario, 2);
