import { conversionStart } from '../../domain/treasury/conversion-start.ts';
import { noteConversionNamed } from '../../store/treasury/order-watch.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';

/** Has the workflow of an order look at its record. A worker does so also without, so a failure is not the user's concern. */
export async function notifyConversion(
  { temporal }: ApplicationDependencies,
  input: { orderId: string; account: string },
): Promise<void> {
  await temporal.workflow.signalWithStart('conversion', conversionStart(input)).catch(() => undefined);
}

/** A webhook named a conversion: it proves nothing, but is a reason to read it, also when the order has lapsed. */
export async function wakeConversion(
  { database, temporal }: ApplicationDependencies,
  { account, resourceId }: { account: string; resourceId: string },
): Promise<void> {
  const orderId = await noteConversionNamed(database, account, resourceId);
  if (orderId === null) return;
  await temporal.workflow.signalWithStart('conversion', conversionStart({ orderId, account }));
}
