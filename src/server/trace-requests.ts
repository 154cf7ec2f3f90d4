import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { getRequestId } from '../core/request-id.ts';
import { CONNECTION_CLOSED, type Tracer } from '../core/tracing.ts';

/**
 * Starts the span of a request, which ends with the connection or the response, and returns a function that handles the request in
 * it. The caller's `traceparent` is its parent. Paths contain tokens of displays and queries contain names of people, so the span has
 * only the route. REST adds it once it knows it.
 */
export function traceRequest(
  tracer: Tracer,
  req: IncomingMessage,
  res: ServerResponse,
  { route, handle }: { route: string | undefined; handle: () => unknown },
): () => void {
  const method = req.method ?? '';
  const parent = propagation.extract(ROOT_CONTEXT, req.headers);
  const attributes = {
    'http.request.method': method,
    'foyer.request_id': getRequestId(req),
    ...(route === undefined ? {} : { 'http.route': route }),
  };
  const name = route === undefined ? method : `${method} ${route}`;
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
  res.once('close', () => {
    span.setAttribute('http.response.status_code', res.statusCode);
    if (!res.writableFinished) span.setAttribute('error.type', CONNECTION_CLOSED);
    if (res.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
  // Once the body has arrived, the event of the socket would call `handle` in another context.
  const active = trace.setSpan(parent, span);
  return () => context.with(active, handle);
}
