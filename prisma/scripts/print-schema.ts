import { writeFileSync } from 'node:fs';
import { printSortedSchema } from '../../src/graphql/schema.ts';

writeFileSync(new URL('../../schema.graphql', import.meta.url), printSortedSchema());
process.exit(0);
