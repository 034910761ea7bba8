/** Money that somebody expects, as the address of the page and the server's query have it: `EUR:1000.00:2026-12-01`, with commas. */
export interface ExpectedMoney {
  currency: string;
  amount: string;
  /** YYYY-MM-DD. */
  on: string;
}

export function expectedMoneyIn(text: string | undefined): ExpectedMoney[] {
  return (text ?? '')
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const [currency = '', amount = '', on = ''] = part.split(':');
      return { currency, amount, on };
    });
}

export function textOfExpectedMoney(expected: readonly ExpectedMoney[]): string {
  return expected.map(({ currency, amount, on }) => `${currency}:${amount}:${on}`).join(',');
}
