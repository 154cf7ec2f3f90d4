export interface Example {
  title: string;
  query: string;
}

const files = import.meta.glob<string>('./examples/*.graphql', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** One for each file in `examples`, sorted by file name. The first line of a file is a comment with the title. */
export const examples: Example[] = Object.entries(files)
  .sort(([one], [other]) => one.localeCompare(other))
  .map(([, query]) => ({ title: /^# (.+)/.exec(query)?.[1] ?? '', query }));
