/** Other words for what a section is about, which people search for: the section begins with them in the results of the search. */
export const SEARCH_WORDS: readonly [page: string, heading: string, words: string][] = [
  ['recipes/booking-form.md', '# A booking form', 'book a desk, reserve a room'],
  ['guides/bookings.md', '## A first example', 'book a desk, make a reservation'],
  ['personal-data.md', '# Personal data', 'GDPR, DSGVO, RGPD, privacy'],
  ['personal-data.md', '## Retention', 'GDPR, delete after some time'],
  ['guides/client.md', '## Retries', 'retry, repeat, idempotency'],
  ['guides/rest.md', '## Writes', 'retry, repeat, idempotency'],
  ['guides/rest.md', '## Lists', 'pagination, pages, cursor'],
  ['guides/graphql.md', '## Lists', 'pagination, pages, cursor'],
  ['guides/rest.md', '## From a browser', 'CORS, origin'],
  ['guides/payments.md', '## Disputes', 'chargeback'],
];

/**
 * Adds the words to the headings of a page, for the index of the search. Links to the sections stay as they are. Returns nothing for the
 * changelog, whose many lines would come before what explains them.
 */
export function addSearchWords(
  page: string,
  markdown: string,
  slugify: (heading: string) => string,
): string {
  if (page === 'changelog.md') return '';
  let text = markdown;
  for (const [file, heading, words] of SEARCH_WORDS) {
    if (file !== page) continue;
    const id = slugify(heading.replace(/^#+ /, ''));
    const lines = text.split('\n');
    const at = lines.indexOf(heading);
    if (at === -1) throw new Error(`${page} has no heading "${heading}"`);
    lines[at] = `${heading}: ${words} {#${id}}`;
    text = lines.join('\n');
  }
  return text;
}
