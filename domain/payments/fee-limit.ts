import Big from 'big.js';

/** Whether what a payment costs beside its amount is more than so many percent of the amount. */
export function feesAreBeyond(
  maxFeePercent: number,
  { sellAmount, totalAmount }: { sellAmount: string; totalAmount: string },
): boolean {
  const fees = new Big(totalAmount).minus(sellAmount);
  return fees.times(100).gt(new Big(sellAmount).times(maxFeePercent));
}
