/** A record without some of its fields. */
export const omit = <Fields extends object, Name extends keyof Fields & string>(
  record: Fields,
  ...names: readonly Name[]
): Omit<Fields, Name> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.some((other) => other === name))) as Omit<
    Fields,
    Name
  >;
