import Big from 'big.js';

/** Whether the fees, which are the total less the sell amount, exceed this percentage of the sell amount. */
export function feesExceed(
  maxFeePercent: number,
  { sellAmount, totalAmount }: { sellAmount: string; totalAmount: string },
): boolean {
  const fees = new Big(totalAmount).minus(sellAmount);
  return fees.times(100).gt(new Big(sellAmount).times(maxFeePercent));
}
