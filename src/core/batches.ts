/** Divides items into batches of at most this size, in order. */
export function* toBatches<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
