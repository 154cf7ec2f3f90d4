/** How often a property is tried: PROPERTY_RUNS for a thorough run, else as often as the suite has time for. */
export const propertyRuns = (runs: number): number => Number(process.env.PROPERTY_RUNS ?? runs);
