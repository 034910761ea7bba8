import { SeededRandom, hash32 } from '../core/seeded-random.ts';

/** Orders lists by the seed: unchanged, reversed, or shuffled. The contract defines no order. */
export interface ListOrder {
  /** A complete list. If shuffled, its order changes with its length. */
  whole<Item>(items: readonly Item[]): readonly Item[];
  /** A list that is cut into pages: new entries do not change the order of the others. */
  paged<Item>(items: readonly Item[], idOf: (item: Item) => string): readonly Item[];
}

export function listOrderOf(seed: number): ListOrder {
  const orderKind = ['as it is', 'reversed', 'shuffled'][hash32(`${seed}/order`) % 3];
  if (orderKind === 'as it is') return { whole: (items) => items, paged: (items) => items };
  if (orderKind === 'reversed')
    return { whole: (items) => [...items].reverse(), paged: (items) => [...items].reverse() };
  return {
    whole: (items) => shuffled(items, new SeededRandom(`${seed}/order/${items.length}`)),
    paged: (items, idOf) =>
      items
        .map((item) => ({ item, place: hash32(`${seed}/order/${idOf(item)}`) }))
        .sort((one, other) => one.place - other.place)
        .map(({ item }) => item),
  };
}

function shuffled<Item>(items: readonly Item[], random: SeededRandom): readonly Item[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const drawn = random.between(0, last);
    [order[last], order[drawn]] = [order[drawn] as Item, order[last] as Item];
  }
  return order;
}
