import { jest } from '@jest/globals';
import { type Span, SpanStatusCode } from '@opentelemetry/api';
import { type Tracer, withSpan } from '../../src/core/tracing.ts';
import { CallerDisconnected, overloaded } from '../../src/errors.ts';

/** Fails in a span. Returns what the span records. */
async function failInSpan(error: Error) {
  const span = { setAttribute: jest.fn(), setStatus: jest.fn(), end: jest.fn() };
  const startActiveSpan = (_name: string, _options: object, work: (span: Span) => unknown) =>
    work(span as unknown as Span);
  const tracer = { startActiveSpan } as unknown as Tracer;
  const work = withSpan(tracer, 'importMembers', {}, () => Promise.reject(error));
  await expect(work).rejects.toBe(error);
  return { recorded: span.setAttribute.mock.calls, status: span.setStatus.mock.calls };
}

it('records which error work in a span has thrown', async () => {
  expect(await failInSpan(overloaded())).toEqual({
    recorded: [['error.type', 'UNAVAILABLE']],
    status: [[{ code: SpanStatusCode.ERROR }]],
  });
});

it('does not count it as a failure that a caller has disconnected', async () => {
  expect(await failInSpan(new CallerDisconnected())).toEqual({
    recorded: [['error.type', 'connection_closed']],
    status: [],
  });
});
