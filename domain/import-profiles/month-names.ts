/**
 * Months as sheets write them, in the languages of the header words, whole and cut: no text is of two months.
 * Source: Unicode CLDR, month names, wide and abbreviated, of de, en, es, fr, it, nl, pl and pt.
 */
const MONTH_NAMES: readonly (readonly string[])[] = [
  [
    'jan',
    'januar',
    'january',
    'jänner',
    'ene',
    'enero',
    'janv',
    'janvier',
    'gen',
    'gennaio',
    'januari',
    'sty',
    'stycznia',
    'styczeń',
    'janeiro',
  ],
  [
    'feb',
    'februar',
    'february',
    'febrero',
    'févr',
    'fév',
    'février',
    'febbraio',
    'februari',
    'lut',
    'lutego',
    'luty',
    'fev',
    'fevereiro',
  ],
  ['mar', 'mär', 'märz', 'mrz', 'march', 'marzo', 'mars', 'mrt', 'maart', 'marca', 'marzec', 'março'],
  ['apr', 'april', 'abr', 'abril', 'avr', 'avril', 'aprile', 'kwi', 'kwietnia', 'kwiecień'],
  ['may', 'mai', 'mayo', 'mag', 'maggio', 'mei', 'maj', 'maja', 'maio'],
  ['jun', 'juni', 'june', 'junio', 'juin', 'giu', 'giugno', 'cze', 'czerwca', 'czerwiec', 'junho'],
  ['jul', 'juli', 'july', 'julio', 'juil', 'juillet', 'lug', 'luglio', 'lip', 'lipca', 'lipiec', 'julho'],
  ['aug', 'august', 'ago', 'agosto', 'août', 'aou', 'augustus', 'sie', 'sierpnia', 'sierpień'],
  [
    'sep',
    'sept',
    'september',
    'septiembre',
    'septembre',
    'set',
    'settembre',
    'wrz',
    'września',
    'wrzesień',
    'setembro',
  ],
  [
    'oct',
    'okt',
    'oktober',
    'october',
    'octubre',
    'octobre',
    'ott',
    'ottobre',
    'paź',
    'października',
    'październik',
    'out',
    'outubro',
  ],
  ['nov', 'november', 'noviembre', 'novembre', 'lis', 'listopada', 'listopad', 'novembro'],
  [
    'dec',
    'dez',
    'dezember',
    'december',
    'dic',
    'diciembre',
    'déc',
    'décembre',
    'dicembre',
    'gru',
    'grudnia',
    'grudzień',
    'dezembro',
  ],
];

const numberOfName: ReadonlyMap<string, string> = new Map(
  MONTH_NAMES.flatMap((names, index) => names.map((name) => [name, String(index + 1).padStart(2, '0')] as const)),
);

/** `03`, or null for what is no name of a month. A full stop behind a cut name does not count. */
export function monthOfName(name: string): string | null {
  return numberOfName.get(name.normalize('NFC').replace(/\.$/, '').toLowerCase()) ?? null;
}

/** For the test that no name is of two months. */
export const EVERY_MONTH_NAME = MONTH_NAMES.flat();
