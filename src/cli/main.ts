import { formatForTerminal } from '../errors.ts';
import { createProgram } from './program.ts';

try {
  await createProgram().parseAsync();
} catch (thrown) {
  process.stderr.write(formatForTerminal(thrown));
  process.exitCode = 1;
}
