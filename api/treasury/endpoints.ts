import { costEndpoints, orderEndpoints } from './order-endpoints.ts';
import { scheduleEndpoints } from './schedule-endpoints.ts';

export const treasuryEndpoints = { ...orderEndpoints, ...costEndpoints, ...scheduleEndpoints };
