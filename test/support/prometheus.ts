import { parser } from '@prometheus-io/lezer-promql';

/** One series of a scrape. */
export interface Series {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** Parses the text format of Prometheus. */
export const parseScrape = (text: string): Series[] =>
  text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
    const entries = pairs.map(([, label, value]) => [label, value]);
    return [{ name, labels: Object.fromEntries(entries), value: Number(value) }];
  });

/** Prometheus adds these to every series. */
const TARGET_LABELS = ['instance', 'job'];
/** Prometheus makes this one of every scrape. */
const UP: Series = { name: 'up', labels: { instance: 'foyer:4000', job: 'foyer' }, value: 1 };

/** Lists what is wrong with an expression: its syntax, and metrics, labels and values of labels that the scrape lacks. */
export function findProblems(expression: string, scrape: Series[]): string[] {
  const problems: string[] = [];
  const scraped = [...scrape, UP];
  const labels = new Set(TARGET_LABELS);
  const groupings: string[] = [];
  parser.parse(expression).iterate({
    enter: ({ type, name, from, to, node }) => {
      const text = expression.slice(from, to);
      if (type.isError) problems.push(`syntax at ${from}: ${expression}`);
      if (name === 'GroupingLabels')
        groupings.push(
          ...node.getChildren('LabelName').map(({ from, to }) => expression.slice(from, to)),
        );
      if (name !== 'VectorSelector') return;
      const metric = /^\w+/.exec(text)?.[0] ?? '';
      const series = scraped.filter((one) => one.name === metric);
      if (series.length === 0) problems.push(`no metric ${metric}`);
      for (const one of series) for (const label of Object.keys(one.labels)) labels.add(label);
      for (const [, label = '', operator, value = ''] of text.matchAll(/(\w+)(=~|=)"([^"]*)"/g)) {
        const isSelected =
          operator === '='
            ? (own?: string) => own === value
            : (own = '') => new RegExp(`^(?:${value})$`).test(own);
        if (!series.some((one) => isSelected(one.labels[label])))
          problems.push(`no series ${metric}{${label}${operator}"${value}"}`);
      }
    },
  });
  return [
    ...problems,
    ...groupings.filter((label) => !labels.has(label)).map((label) => `no label ${label}`),
  ];
}
