import { createProcessMetrics } from '../../../../src/server/metrics.ts';

/** The services of all test files of a worker share them, as they share the process. */
export const processMetrics = createProcessMetrics();
