/** Reads a flag that is one whole number. @throws Error that names the flag and says what it takes */
export function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= least) return value;
  throw new Error(`--${name}: takes a whole number, ${least} or more, not "${text}"`);
}
