import type { Client } from '@temporalio/client';
import { conversionStart } from '../../domain/treasury/conversion-start.ts';

/** Starts the workflow of an order. Workers start it also without, a little later, so a failure is nobody's concern. */
export async function startConversion(temporal: Client, input: { orderId: string; account: string }): Promise<void> {
  await temporal.workflow.signalWithStart('conversion', conversionStart(input)).catch(() => undefined);
}
