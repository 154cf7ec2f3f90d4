/**
 * The number of runs of a property: few in `npm test`, which runs after every change, and PROPERTY_RUNS in
 * `npm run test:nightly`. Every run uses another seed, so that coverage grows over time.
 */
export const propertyRuns = (few: number): number => Number(process.env.PROPERTY_RUNS ?? few);

/** A few of the items, other ones in every run of `npm test`. `npm run test:nightly` takes all of them. */
export function takeSample<Item>(items: readonly Item[], few: number): Item[] {
  if (process.env.PROPERTY_RUNS !== undefined) return [...items];
  const rest = [...items];
  return Array.from({ length: Math.min(few, items.length) }, () => {
    const [item] = rest.splice(Math.floor(Math.random() * rest.length), 1);
    return item as Item;
  });
}
