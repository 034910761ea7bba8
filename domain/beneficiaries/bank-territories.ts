/** Territories whose banks have the codes of another country. */
const TERRITORIES: Readonly<Record<string, readonly string[]>> = {
  GB: ['GG', 'IM', 'JE'],
  FR: ['BL', 'GF', 'GP', 'MF', 'MQ', 'NC', 'PF', 'PM', 'RE', 'TF', 'WF', 'YT'],
  FI: ['AX'],
  NO: ['SJ'],
  US: ['AS', 'GU', 'MP', 'PR', 'VI'],
  AU: ['CC', 'CX', 'NF'],
};

const COUNTRY_OF_TERRITORY = new Map(
  Object.entries(TERRITORIES).flatMap(([country, territories]) => territories.map((one) => [one, country])),
);

/** The country whose codes the banks of a country or territory have. */
export function codesOf(country: string): string {
  return COUNTRY_OF_TERRITORY.get(country) ?? country;
}
