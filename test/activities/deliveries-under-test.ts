import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { deliverNotificationActivity } from '../../activities/notifications/deliver-notification.ts';
import type { NotificationSettings } from '../../activities/notifications/notification-settings.ts';
import { type DeliveryRecord, listDeliveries } from '../../store/notifications/deliveries.ts';
import { testEndpointAs } from '../../store/notifications/endpoints.ts';
import { planDeliveries } from '../../store/notifications/plan-deliveries.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import type { TestUser } from '../helpers/users.ts';

const DAY_MS = 86_400_000;

export const SETTINGS: NotificationSettings = {
  schedule: { delaysMs: [0], giveUpAfterMs: 5 * DAY_MS },
  webhooks: { timeoutMs: 2_000, privateHosts: ['127.0.0.1'] },
  mail: null,
};

export function deliverer(database: TestDatabase['asWorker'], settings: Partial<NotificationSettings> = {}) {
  // What the activity needs, and nothing of providers and Temporal.
  return deliverNotificationActivity({
    database,
    dataKeys: TEST_DATA_KEYS,
    now: Date.now,
    settings: { notifications: { ...SETTINGS, ...settings } },
  } as unknown as ActivityDependencies);
}

export async function plan({ asWorker }: Pick<TestDatabase, 'asWorker'>): Promise<void> {
  while ((await planDeliveries(asWorker, { gatherMs: 0, quietMs: 0, publicUrl: 'https://payrun.example.com' })) > 0);
}

/** Queues a test for the endpoint; returns the notification's id. */
export async function queueATest(testDatabase: TestDatabase, by: TestUser, endpointId: string): Promise<string> {
  const { notificationId } = await testEndpointAs(testDatabase.asServer, by.tokenHash, endpointId);
  await plan(testDatabase);
  return notificationId;
}

/** The newest first. */
export function deliveriesTo({ asServer }: TestDatabase, endpointId: string): Promise<DeliveryRecord[]> {
  return listDeliveries(asServer, { endpointId, state: null, limit: 100 });
}
