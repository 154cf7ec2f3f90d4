import { type HrTime, ValueType } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type HistogramMetricData,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { MetricValueWithName } from 'prom-client';
import type { MetricObject } from './metrics.ts';

// Metrics are defined once, for /metrics. These functions convert them for the export, with the same names and labels, so that
// dashboards and alert rules work with both.

/** Creates a source of metrics for the SDK. */
export function createMetricProducer(
  collect: () => Promise<MetricObject[]>,
  resource: Resource,
): MetricProducer {
  const startTime = millisToHrTime(Date.now() - process.uptime() * 1000);
  return {
    collect: async () => {
      const times = { startTime, endTime: millisToHrTime(Date.now()) };
      const metrics = (await collect()).flatMap((metric) => toMetricData(metric, times));
      return {
        resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'foyer' }, metrics }] },
        errors: [],
      };
    },
  };
}

interface Times {
  startTime: HrTime;
  endTime: HrTime;
}

/** Returns nothing for summaries, of which Foyer has none, and for metrics without values. */
function toMetricData({ name, help, type, values }: MetricObject, times: Times): MetricData[] {
  if (values.length === 0) return [];
  const descriptor = { name, description: help, unit: '', valueType: ValueType.DOUBLE };
  const shared = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  const toPoints = () =>
    values.map(({ labels, value }) => ({ ...times, attributes: { ...labels }, value }));
  switch (String(type)) {
    case 'counter':
      return [
        { ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: toPoints() },
      ];
    case 'gauge':
      return [{ ...shared, dataPointType: DataPointType.GAUGE, dataPoints: toPoints() }];
    case 'histogram':
      return [
        {
          ...shared,
          dataPointType: DataPointType.HISTOGRAM,
          dataPoints: toHistograms(name, values as MetricValueWithName<string>[], times),
        },
      ];
    default:
      return [];
  }
}

type HistogramPoint = HistogramMetricData['dataPoints'][number];

/** Buckets of Prometheus count all smaller values too, those of OpenTelemetry only their own. */
function toHistograms(
  name: string,
  values: MetricValueWithName<string>[],
  times: Times,
): HistogramPoint[] {
  const points = new Map<string, HistogramPoint>();
  let counted = 0;
  for (const { labels: given, metricName, value } of values) {
    const { le, ...attributes } = given;
    const key = JSON.stringify(attributes);
    const point: DataPoint<HistogramPoint['value']> = points.get(key) ?? {
      ...times,
      attributes: attributes as Record<string, string>,
      value: { buckets: { boundaries: [], counts: [] }, sum: 0, count: 0 },
    };
    points.set(key, point);
    const { buckets } = point.value;
    if (metricName === `${name}_sum`) point.value.sum = value;
    else if (metricName === `${name}_count`) point.value.count = value;
    else {
      if (buckets.counts.length === 0) counted = 0;
      if (le !== '+Inf') buckets.boundaries.push(Number(le));
      buckets.counts.push(value - counted);
      counted = value;
    }
  }
  return [...points.values()];
}
