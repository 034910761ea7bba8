import { Chance, hash32 } from '../core/seeded-random.ts';

/** Puts lists into the order of a seed: as they are, the other way round, or shuffled. The contract gives them no order. */
export interface ListOrder {
  /** A whole list. Shuffled, its order is another one when it is longer. */
  whole<Item>(items: readonly Item[]): readonly Item[];
  /** A list that is shown in pages: what stands before what does not change with what is added. */
  paged<Item>(items: readonly Item[], idOf: (item: Item) => string): readonly Item[];
}

export function listOrderOf(seed: number): ListOrder {
  const way = ['as it is', 'reversed', 'shuffled'][hash32(`${seed}/order`) % 3];
  if (way === 'as it is') return { whole: (items) => items, paged: (items) => items };
  if (way === 'reversed') return { whole: (items) => [...items].reverse(), paged: (items) => [...items].reverse() };
  return {
    whole: (items) => shuffled(items, new Chance(`${seed}/order/${items.length}`)),
    paged: (items, idOf) =>
      items
        .map((item) => ({ item, place: hash32(`${seed}/order/${idOf(item)}`) }))
        .sort((one, other) => one.place - other.place)
        .map(({ item }) => item),
  };
}

function shuffled<Item>(items: readonly Item[], chance: Chance): readonly Item[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const drawn = chance.between(0, last);
    [order[last], order[drawn]] = [order[drawn] as Item, order[last] as Item];
  }
  return order;
}
