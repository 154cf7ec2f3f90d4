import type { Thing, WithContext } from 'schema-dts';
import type { TypedDocumentString } from '../../gql/graphql.ts';
import { formatLongTimeRange, formatLongTimeSpan } from '../../language/page-dates.ts';
import { getText } from '../../language/page-texts.ts';
import {
  getOfferedPassesKey,
  OFFERED_PASSES_QUERY,
  toOfferedPasses,
} from '../day-passes/queries.ts';
import {
  getPublicEventKey,
  getPublicEventsKey,
  PUBLIC_EVENT_QUERY,
  PUBLIC_EVENTS_QUERY,
  toOfferedEvent,
  toPublicEventsFilter,
} from '../events/queries.ts';
import type { InitialData } from './initial-data.ts';
import { describeEvent, describeEvents, describePasses } from './structured-data.ts';

// The pages that the service renders: what they read, and what their head says.

/** Executes a GraphQL document as someone who is not signed in. @throws an error with the code of the API */
export type Execute = <Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
) => Promise<Data>;

interface PageHead {
  /** The canonical path, without parameters. */
  path: string;
  /** What messengers show. The title of the page itself comes from the page. */
  title: string;
  description: string;
  type: 'website' | 'article';
  structuredData: WithContext<Thing>;
}

export interface LoadedPage {
  queries: InitialData['queries'];
  head: PageHead;
}

/** Describes what was read, in the language that the page has at that time. It runs at once. */
export type DescribePage = () => LoadedPage;

export interface PageSource {
  execute: Execute;
  /** The public URL of a path of the service. */
  toUrl: (path: string) => string;
}

export async function loadEventsPage(
  { execute, toUrl }: PageSource,
  tag: string,
): Promise<DescribePage> {
  const search = { q: '', tag };
  const variables = { filter: toPublicEventsFilter(search), after: null };
  const { events } = await execute(PUBLIC_EVENTS_QUERY, variables);
  const nodes = events.edges.map(({ node }) => node);
  return () => {
    const next = nodes
      .slice(0, 3)
      .map(
        ({ title, startsAt, endsAt, timeZone }) =>
          `${title} (${formatLongTimeSpan(startsAt, endsAt, timeZone)})`,
      );
    return {
      queries: [[getPublicEventsKey(search), { pages: [events], pageParams: [null] }]],
      head: {
        path: 'events',
        title: getText('page.events'),
        description:
          next.length > 0
            ? getText('page.upcoming', { events: next.join('; ') })
            : getText('page.upcomingEvents'),
        type: 'website',
        structuredData: describeEvents(nodes, toUrl),
      },
    };
  };
}

export async function loadEventPage(
  { execute, toUrl }: PageSource,
  slug: string,
): Promise<DescribePage> {
  const event = toOfferedEvent(await execute(PUBLIC_EVENT_QUERY, { slug }));
  return () => {
    const { title, summary, startsAt, endsAt, timeZone, location } = event;
    const facts = [
      ...(event.status === 'CANCELLED' ? [getText('page.cancelledSentence')] : []),
      `${formatLongTimeRange(startsAt, endsAt, timeZone)}, ${location.name}.`,
      ...(summary === null ? [] : [summary]),
    ];
    return {
      queries: [[getPublicEventKey(slug), event]],
      head: {
        path: `events/${event.slug}`,
        title,
        description: facts.join(' '),
        type: 'article',
        structuredData: describeEvent(event, toUrl),
      },
    };
  };
}

export async function loadPassesPage({ execute, toUrl }: PageSource): Promise<DescribePage> {
  const types = toOfferedPasses(await execute(OFFERED_PASSES_QUERY, { date: null }));
  const names = [...new Set(types.map(({ location }) => location.name))];
  return () => ({
    queries: [[getOfferedPassesKey(null), types]],
    head: {
      path: 'day-passes',
      title: getText('page.dayPasses'),
      description: [getText('pass.intro'), names.join(', ')].filter(Boolean).join(' '),
      type: 'website',
      structuredData: describePasses(types, toUrl),
    },
  });
}
