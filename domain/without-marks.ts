/** A text without accents and other marks of its letters, which are decomposed (NFKD): "Škoda №1" is "Skoda No1". */
export function withoutMarks(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}+/gu, '');
}
