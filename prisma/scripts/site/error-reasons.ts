import { errorReasonList, FIELD_REASONS } from '../../../src/core/error-reasons.ts';

const namesFields = (reason: string) => (FIELD_REASONS as readonly string[]).includes(reason);

/** Returns the page of error reasons, with a section for each, so that links and the search lead to it. */
export function describeErrorReasons(): string {
  const sections = errorReasonList.map(({ reason, description }) =>
    [
      `## ${reason} {#${reason}}`,
      description,
      ...(namesFields(reason) ? ['The error names the fields of the input.'] : []),
    ].join('\n\n'),
  );
  const intro =
    'Why an operation failed, by the reason of the error. [Errors](../errors.md) explains codes and details.';
  return `${['# Error reasons', intro, ...sections].join('\n\n')}\n`;
}
