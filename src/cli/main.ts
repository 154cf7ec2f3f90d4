import { formatForTerminal, toDomainError } from '../errors.ts';
import { createProgram } from './program.ts';

// Deprecations in dependencies concern their developers, not operators.
process.noDeprecation = true;

try {
  await createProgram().parseAsync();
} catch (thrown) {
  process.stderr.write(
    process.argv.includes('--json') ? toJson(thrown) : formatForTerminal(thrown),
  );
  process.exitCode = 1;
}

/** One JSON object on one line, as the results of `--json`. */
function toJson(thrown: unknown): string {
  const { code, message, details } = toDomainError(thrown);
  return `${JSON.stringify({ error: { code, ...details, message } })}\n`;
}
