/** How rows of sums begin in the languages that people use, without marks and in lower case. */
const TOTALS = [
  // German
  'summen?',
  '(?:zwischen|teil|gesamt|end)summen?',
  'gesamt(?:betrag)?',
  'insgesamt',
  'ubertrag',
  // English
  '(?:sub|grand|sheet|page)?[ -]?totals?',
  '(?:sub)?sum',
  'total amount',
  // French
  '(?:sous|montant)[ -]totaux?',
  'sous[ -]total',
  'montant total',
  'total general',
  'somme',
  // Spanish and Portuguese
  'suma',
  'soma',
  'total geral',
  'importe total',
  'valor total',
  // Italian
  '(?:sub)?totale(?: generale| complessivo)?',
  'somma',
  // Dutch
  '(?:sub|eind)?totaal(?:bedrag)?',
  'som',
  // Polish
  'razem',
  'lacznie',
  'ogolem',
  'suma (?:czesciowa|koncowa|calkowita)',
].join('|');

/** Followed by what it is the sum of: "Total payments". A company may begin so, too: "Total Deutschland GmbH". */
const BEGINS = new RegExp(`^(?:${TOTALS})(?!\\p{L})`, 'u');

/** Alone, or with a number or a currency: "Summe EUR", "Total (12)". */
const IS = new RegExp(`^(?:${TOTALS})(?:\\s+[a-z]{3}|[^\\p{L}]*)$`, 'u');

export function beginsAsTotal(text: string): boolean {
  return BEGINS.test(folded(text));
}

export function isTotal(text: string): boolean {
  return IS.test(folded(text));
}

/** Longer texts are no names of rows. */
const LONGEST = 60;

function folded(text: string): string {
  if (text.length > LONGEST) return '';
  const plain = text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ł', 'l');
  return plain.replace(/^[^\p{L}]+/u, '').trimEnd();
}
