import { WorkflowNotFoundError } from '@temporalio/client';
import { conversionWorkflowId } from '../../domain/identifiers.ts';
import { conversionStart } from '../../domain/treasury/conversion-start.ts';
import { findOrderOfConversion } from '../../store/treasury/order-watch.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';

/** Has the workflow of an order look at its record. A worker does so also without, so a failure is not the user's concern. */
export async function notifyConversion(
  { temporal }: ApplicationDependencies,
  input: { orderId: string; account: string },
): Promise<void> {
  await temporal.workflow.signalWithStart('conversion', conversionStart(input)).catch(() => undefined);
}

/** A webhook named a conversion: it proves nothing, but is a reason to read it. */
export async function wakeConversion(
  { database, temporal }: ApplicationDependencies,
  { account, resourceId }: { account: string; resourceId: string },
): Promise<void> {
  const orderId = await findOrderOfConversion(database, account, resourceId);
  if (orderId === null) return;
  try {
    await temporal.workflow.getHandle(conversionWorkflowId(orderId)).signal('conversionChanged');
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
