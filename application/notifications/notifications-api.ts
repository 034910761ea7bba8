export type { NotificationsApplication } from './use-cases.ts';
