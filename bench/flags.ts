/** @throws Error that names the flag and the values that it takes */
export function wholeNumber(name: string, text: string, min: number): number {
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= min) return value;
  throw new Error(`--${name}: takes a whole number, ${min} or more, not "${text}"`);
}
