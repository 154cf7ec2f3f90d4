/**
 * How often a property is tried: few times in `npm test`, which runs after every change, and PROPERTY_RUNS times in
 * `npm run test:nightly`. Every run begins with another seed, so that the few add up.
 */
export const propertyRuns = (few: number): number => Number(process.env.PROPERTY_RUNS ?? few);
