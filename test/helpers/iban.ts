/** The IBAN of an account, with check digits according to ISO 7064. */
export function iban(country: string, account: string): string {
  const digits = (text: string): string => text.replace(/[A-Z]/g, (letter) => String(parseInt(letter, 36)));
  const check = 98n - (BigInt(digits(`${account}${country}00`)) % 97n);
  return `${country}${String(check).padStart(2, '0')}${account}`;
}
