import { GraphQLError } from 'graphql';
import { builder } from './builder.ts';

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i;

builder.scalarType('DateTime', {
  description:
    'RFC 3339 with an offset, such as 2026-01-31T09:00:00Z. Answers are in UTC with milliseconds.',
  serialize: (value) => (value instanceof Date ? value.toISOString() : value),
  parseValue: (value) => {
    const date = typeof value === 'string' && RFC3339.test(value) ? new Date(value) : undefined;
    if (date === undefined || Number.isNaN(date.getTime())) {
      throw new GraphQLError('must be an RFC 3339 time such as 2026-01-31T09:00:00Z');
    }
    return date;
  },
});
