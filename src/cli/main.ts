import { explain } from '../errors.ts';
import { createProgram } from './program.ts';

try {
  await createProgram().parseAsync();
} catch (thrown) {
  process.stderr.write(explain(thrown));
  process.exitCode = 1;
}
