import { GraphQLError } from 'graphql';
import { z } from 'zod';
import { isDay } from '../dates.ts';
import { builder } from './builder.ts';

// JavaScript's own parser takes 30 February for 2 March.
const rfc3339 = z.iso.datetime({ offset: true });

builder.scalarType('DateTime', {
  description:
    'RFC 3339 with an offset, such as 2026-01-31T09:00:00Z. Answers are in UTC with milliseconds.',
  serialize: (value) => (value instanceof Date ? value.toISOString() : value),
  parseValue: (value) => {
    const { data } = rfc3339.safeParse(value);
    if (data === undefined) {
      throw new GraphQLError('must be an RFC 3339 time such as 2026-01-31T09:00:00Z');
    }
    const date = new Date(data);
    const year = date.getUTCFullYear();
    if (!(year >= 1 && year <= 9999))
      throw new GraphQLError('must be a time of the years 1 to 9999');
    return date;
  },
});

builder.scalarType('Date', {
  description: 'A day of the calendar, YYYY-MM-DD, such as 2026-01-31',
  serialize: (value) => value,
  parseValue: (value) => {
    if (!isDay(value)) throw new GraphQLError('must be a real date such as 2026-01-31');
    return value;
  },
});
