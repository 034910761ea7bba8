/** So much of a formula is looked at. */
export const KIND_WITHIN = 200;

/** What a formula does, by its first function. Its cells and texts are not said: they may be of people. */
export function kindOfFormula(formula: string): string {
  const [, name] = /(?<![\w.])(?:_xl\w+\.)*([A-Z][A-Z0-9.]{0,29})\(/i.exec(formula) ?? [];
  return name === undefined ? 'a calculation' : name.toUpperCase();
}
