import { formatForTerminal } from '../errors.ts';
import { createProgram } from './program.ts';

// Deprecations in dependencies concern their developers, not operators.
process.noDeprecation = true;

try {
  await createProgram().parseAsync();
} catch (thrown) {
  process.stderr.write(formatForTerminal(thrown));
  process.exitCode = 1;
}
