import { hash32 } from '../core/seeded-random.ts';
import { type Json, Written } from '../core/json.ts';

/** Fields that no version of the contract names, as a later one may have them. They say nothing about anybody. */
export const ADDITIONAL_FIELDS: Readonly<Record<string, Json>> = {
  schemaVersion: '2031-04',
  previousStatus: 'completed',
  remarksOfService: '',
  isLegacy: false,
  revision: 0,
  sequenceNumber: new Written('184467440737095516170'),
  weight: new Written('-1.50E-7'),
  supersededBy: null,
  labels: ['standard', 7, null],
  formerVersions: [],
  _links: { self: { href: '/v9/self', templated: false } },
  settlementDetails: {
    window: { number: 3, of: new Written('100000000000000000000.25') },
    parties: [{ role: 'agent' }],
  },
};

const MOST_AT_ONE_PLACE = 3;

/**
 * The additional fields of one place, as `beneficiary` for the objects of that name: none, or a few. `withTexts`: whether
 * texts are among them.
 */
export function additionalFieldsOf(
  seed: number,
): (place: string, withTexts: boolean) => Readonly<Record<string, Json>> {
  const known = new Map<string, Readonly<Record<string, Json>>>();
  const draw = (place: string, withTexts: boolean): Readonly<Record<string, Json>> => {
    const names = Object.keys(ADDITIONAL_FIELDS).filter(
      (name) => withTexts || typeof ADDITIONAL_FIELDS[name] !== 'string',
    );
    const drawn: Record<string, Json> = {};
    for (let count = hash32(`${seed}/${place}/count`) % (MOST_AT_ONE_PLACE + 1); count > 0; count -= 1) {
      const name = names[hash32(`${seed}/${place}/${count}`) % names.length] ?? 'revision';
      drawn[name] = ADDITIONAL_FIELDS[name] ?? null;
    }
    return drawn;
  };
  return (place, withTexts) => {
    const key = `${place} ${String(withTexts)}`;
    const fields = known.get(key) ?? draw(place, withTexts);
    known.set(key, fields);
    return fields;
  };
}
