import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { aUser } from '../helpers/users.ts';
import { put, type SteppedPayment } from './steps-answered.ts';

/** What two people said of a payment, as `recordResolved` leaves it. */
export async function resolvedAs(
  testDatabase: TestDatabase,
  payment: SteppedPayment,
  { outcome, state }: { outcome: string; state: string },
): Promise<SteppedPayment> {
  const { paymentId } = payment;
  const people = [
    await aUser(testDatabase, `Mia ${paymentId}`, 'maker'),
    await aUser(testDatabase, `Chris ${paymentId}`, 'checker'),
  ];
  await bypassTriggers(
    testDatabase.database,
    `insert into payment_manual_outcomes (payment_id, resolved_as, reason, evidence_hash, proposed_by, state, closed_by, closed_at)
     values ($1, $4, 'they say so', 'x', $2, 'confirmed', $3, now())`,
    [paymentId, ...people.map(({ userId }) => userId), outcome],
  );
  await put(
    testDatabase,
    paymentId,
    `state = $2, error_code = $3, ended_at = now() - interval '1 hour'`,
    state,
    `resolved_${outcome}`,
  );
  return payment;
}
