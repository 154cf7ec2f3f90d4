import { readFileSync } from 'node:fs';
import { getOperationAST, parse } from 'graphql';
import { NOW } from '../factories/seed.ts';
import type { TestApp } from '../harness/app.ts';

const DAY_MS = 86_400_000;

/** The texts of the documents that the pages send, by id. */
export const pageDocuments: Record<string, string> = JSON.parse(
  readFileSync('src/web/gql/persisted-documents.json', 'utf8'),
);

/** The queries that the pages of the panel send. */
export const panelQueries = Object.values(pageDocuments).flatMap((text) => {
  const operation = getOperationAST(parse(text));
  return operation?.operation === 'query' ? [{ text, name: operation.name?.value ?? '' }] : [];
});

const FIND_IDS = `{
  members(first: 1) { nodes { id } }
  resources(first: 1) { nodes { id location { id } } }
  events(first: 1) { nodes { id } }
}`;

/** Rows that the pages show. */
export interface PanelIds {
  member: string;
  resource: string;
  location: string;
  event: string;
}

export async function findPanelIds(app: TestApp, token: string): Promise<PanelIds> {
  const { data } = await app.graphql(FIND_IDS, {}, { token });
  const { members, resources, events } = data as Record<string, { nodes: { id: string }[] }>;
  const location = (resources?.nodes[0] as { location?: { id: string } } | undefined)?.location;
  return {
    member: members?.nodes[0]?.id ?? '',
    resource: resources?.nodes[0]?.id ?? '',
    location: location?.id ?? '',
    event: events?.nodes[0]?.id ?? '',
  };
}

interface PanelPage {
  name: string;
  variables: (ids: PanelIds) => Record<string, unknown>;
  /** The scopes without which the panel does not show the page. */
  scopes: string[];
}

const LIST = { first: 25, after: null, filter: {}, isFirstPage: true };
const MOMENT = { now: NOW.toISOString(), until: new Date(NOW.getTime() + DAY_MS).toISOString() };

/** The pages that staff open most. */
export const PANEL_PAGES: PanelPage[] = [
  {
    name: 'BookingsPage',
    scopes: ['bookings:read', 'spaces:read'],
    variables: (ids) => ({
      closedFrom: '2026-03-17',
      locationId: ids.location,
      from: '2026-03-17T23:00:00Z',
      to: '2026-03-18T23:00:00Z',
      hasDay: true,
    }),
  },
  { name: 'FrontDesk', scopes: ['check-ins:read'], variables: () => ({}) },
  {
    name: 'EventList',
    scopes: ['events:read', 'spaces:read'],
    variables: () => LIST,
  },
  {
    name: 'EventPage',
    scopes: ['events:read'],
    variables: (ids) => ({ id: ids.event, slug: ids.event }),
  },
  { name: 'OrderList', scopes: ['orders:read'], variables: () => LIST },
  {
    name: 'LocationPage',
    scopes: ['spaces:read'],
    variables: (ids) => ({ ...MOMENT, id: ids.location, today: '2026-03-18', canChange: false }),
  },
  {
    name: 'ResourcePage',
    scopes: ['spaces:read'],
    variables: (ids) => ({ ...MOMENT, id: ids.resource }),
  },
  {
    name: 'Members',
    scopes: ['members:read', 'plans:read'],
    variables: () => ({ ...LIST, canReadPlans: true, needsPlans: true }),
  },
  {
    name: 'MemberPage',
    scopes: ['members:read'],
    variables: (ids) => ({ ...MOMENT, id: ids.member }),
  },
  {
    name: 'Displays',
    scopes: ['displays:read', 'spaces:read'],
    variables: () => LIST,
  },
];

/** Returns the text of the query of a page. */
export const getPanelQuery = ({ name }: PanelPage): string => {
  const query = panelQueries.find((query) => query.name === name);
  if (query === undefined) throw new Error(`no page sends ${name}`);
  return query.text;
};

/** The variables of a query with which a page asks only for what its viewer is permitted to see. */
export const permit = (text: string, isPermitted: boolean): Record<string, boolean> =>
  Object.fromEntries(
    [...text.matchAll(/\$(canRead\w+): Boolean/g)].map(([, key]) => [key, isPermitted]),
  );
