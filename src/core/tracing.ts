import {
  context,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { CallerDisconnected, DomainError } from '../errors.ts';

export type { Tracer };

/** The type of the error of a span whose caller has disconnected. */
export const CONNECTION_CLOSED = 'connection_closed';

/**
 * Runs the work in a span, or simply runs it if there is no tracer. Spans that the work starts become its children, also those of
 * promises and timers that it begins.
 */
export function withSpan<T>(
  tracer: Tracer | undefined,
  name: string,
  options: SpanOptions,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  if (tracer === undefined) return work();
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      recordFailure(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Runs a command of a service in a span with the name that the command has in the API. */
export const traceCommand = <T>(
  tracer: Tracer | undefined,
  name: string,
  work: () => Promise<T>,
): Promise<T> =>
  tracer === undefined
    ? work()
    : withSpan(tracer, name, { attributes: { 'foyer.command': name } }, work);

/** Whether a span is open here. Without one, a statement would be a trace of its own. */
export const hasSpan = (): boolean => trace.getSpan(context.active()) !== undefined;

/** Records which error the work has thrown. Messages of errors can name people, so spans never contain them. */
function recordFailure(span: Span, error: unknown): void {
  span.setAttribute('error.type', toErrorType(error));
  if (!(error instanceof CallerDisconnected)) span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Returns what the span of a request has if its connection closes, the reason of another error of Foyer, the code of one of the database or the system, or else its name. */
function toErrorType(error: unknown): string {
  if (error instanceof CallerDisconnected) return CONNECTION_CLOSED;
  if (error instanceof DomainError) return error.details.reason;
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}
