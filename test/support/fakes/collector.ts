import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP describes it, with its attributes as an object. */
export interface ReceivedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Record<string, unknown>;
}

/** A metric as OTLP describes it. */
interface ReceivedMetric {
  name: string;
  sum?: { dataPoints: DataPoint[]; isMonotonic: boolean };
  gauge?: { dataPoints: DataPoint[] };
  histogram?: { dataPoints: (DataPoint & { bucketCounts: number[]; count: number })[] };
}

interface DataPoint {
  attributes: Attribute[];
  asDouble?: number;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

/** A collector of OpenTelemetry that accepts OTLP over HTTP in JSON. */
export async function startCollector() {
  const spans: ReceivedSpan[] = [];
  const metrics: ReceivedMetric[] = [];
  const resources: Record<string, unknown>[] = [];
  const texts: string[] = [];
  const server = createServer((req, res) => {
    let text = '';
    req.setEncoding('utf8').on('data', (piece) => {
      text += piece;
    });
    req.on('end', () => {
      texts.push(text);
      const { resourceSpans = [], resourceMetrics = [] } = JSON.parse(text);
      for (const { resource, scopeSpans } of resourceSpans) {
        resources.push(toObject(resource.attributes));
        for (const { spans: received } of scopeSpans)
          for (const span of received)
            spans.push({ ...span, attributes: toObject(span.attributes) });
      }
      for (const { scopeMetrics } of resourceMetrics)
        for (const { metrics: received } of scopeMetrics) metrics.push(...received);
      res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    metrics,
    resources,
    /** Everything that was received. */
    texts,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

export const toObject = (attributes: Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
