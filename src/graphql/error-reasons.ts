import { type ERROR_REASONS, errorReasons, type ErrorReason as Value } from '../error-reasons.ts';
import { builder } from './builder.ts';

const ErrorReason = builder.enumType('ErrorReason', {
  description:
    'Why something is refused: `extensions.reason` of errors, and the header Foyer-Error-Reason in REST',
  values: Object.fromEntries(
    errorReasons.map(({ reason, description }) => [reason, { description }]),
  ) as { [Reason in Value]: { description: (typeof ERROR_REASONS)[Reason] } },
});

const ErrorReasonDescription = builder
  .objectRef<{ reason: Value; description: string }>('ErrorReasonDescription')
  .implement({
    fields: (t) => ({
      reason: t.expose('reason', { type: ErrorReason }),
      description: t.exposeString('description'),
    }),
  });

builder.queryField('errorReasons', (t) =>
  t.field({
    type: [ErrorReasonDescription],
    description: 'Every reason for which something is refused, with what it means',
    authScopes: { access: 'public' },
    resolve: () => errorReasons,
  }),
);
