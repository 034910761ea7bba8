import { hash32 } from '../core/seeded-random.ts';
import { type Json, RawJson } from '../core/json.ts';

/** Fields outside the contract, as a later version may have them. They contain no personal data. */
export const ADDITIONAL_FIELDS: Readonly<Record<string, Json>> = {
  schemaVersion: '2031-04',
  previousStatus: 'completed',
  remarksOfService: '',
  isLegacy: false,
  revision: 0,
  sequenceNumber: new RawJson('184467440737095516170'),
  weight: new RawJson('-1.50E-7'),
  supersededBy: null,
  labels: ['standard', 7, null],
  formerVersions: [],
  _links: { self: { href: '/v9/self', templated: false } },
  settlementDetails: {
    window: { number: 3, of: new RawJson('100000000000000000000.25') },
    parties: [{ role: 'agent' }],
  },
};

const MAX_FIELDS = 3;

/**
 * Draws the additional fields of the objects with one name, e.g. `beneficiary`: none, or a few. `withTexts`: whether
 * they include texts.
 */
export function additionalFieldsOf(
  seed: number,
): (place: string, withTexts: boolean) => Readonly<Record<string, Json>> {
  const drawnByKey = new Map<string, Readonly<Record<string, Json>>>();
  const draw = (place: string, withTexts: boolean): Readonly<Record<string, Json>> => {
    const names = Object.keys(ADDITIONAL_FIELDS).filter(
      (name) => withTexts || typeof ADDITIONAL_FIELDS[name] !== 'string',
    );
    const drawn: Record<string, Json> = {};
    for (let count = hash32(`${seed}/${place}/count`) % (MAX_FIELDS + 1); count > 0; count -= 1) {
      const name = names[hash32(`${seed}/${place}/${count}`) % names.length] ?? 'revision';
      drawn[name] = ADDITIONAL_FIELDS[name] ?? null;
    }
    return drawn;
  };
  return (place, withTexts) => {
    const key = `${place} ${String(withTexts)}`;
    const fields = drawnByKey.get(key) ?? draw(place, withTexts);
    drawnByKey.set(key, fields);
    return fields;
  };
}
