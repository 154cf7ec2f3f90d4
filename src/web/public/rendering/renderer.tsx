import { QueryClient } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router';
import { LANGUAGES, type Language } from '../../../languages/languages.ts';
import { createTexts, englishTexts, type Texts } from '../../../languages/texts.ts';
import { RenderTimeContext } from '../../components/browser-time.tsx';
import { Providers } from '../../components/Providers.tsx';
import { setTaxNote, type TaxNote } from '../../components/prices.ts';
import { getText, setPageTexts } from '../../language/page-texts.ts';
import { getSpaceName, setSpaceName } from '../../language/space-name.ts';
import { toPublicRouterRoutes } from '../routes.tsx';
import { INITIAL_DATA_ID, type InitialData } from './initial-data.ts';
import {
  type DescribePage,
  type Execute,
  type LoadedPage,
  loadEventPage,
  loadEventsPage,
  loadPassesPage,
  type PageSource,
} from './pages.ts';

// The entry of the bundle with which the service renders pages. `src/server/rendered-pages.ts` calls it.

/** Which page to render. A page that does not exist has no data, and the router shows what to do instead. */
export type PageName =
  | { page: 'events'; tag: string }
  | { page: 'event'; slug: string }
  | { page: 'day-passes' }
  | { page: 'not-found' };

interface Source {
  /** The public URL of the service, without a slash at the end. */
  baseUrl: string;
  execute: (text: string, variables: object) => Promise<unknown>;
  settings: { language: Language; name: string | null; taxNote: TaxNote };
}

/** The parts of a page. All are HTML. */
export interface RenderedPage {
  head: string;
  body: string;
  /** The data with which the browser takes over, at the end of the body. Empty if the page does not need it. */
  data: string;
  /** The source files of the page, from which the build has made the styles and scripts. */
  modules: string[];
}

/** Reads what a page shows to someone who is not signed in. Null for a page that says that there is none. @throws what `execute` throws */
export async function load(
  name: PageName,
  { baseUrl, execute, settings }: Source,
): Promise<LoadedPage | null> {
  const texts = await getTexts(settings.language);
  const describe = await readPage(name, {
    execute: (async (document, variables) =>
      execute(String(document), variables as object)) as Execute,
    toUrl: (path: string) => `${baseUrl}/${path}`,
  });
  // The rest runs at once, so another page cannot change the texts and the name in between.
  setPageTexts(texts);
  setSpaceName(settings.name);
  setTaxNote(settings.taxNote);
  return describe?.() ?? null;
}

async function readPage(name: PageName, source: PageSource): Promise<DescribePage | null> {
  if (name.page === 'events') return loadEventsPage(source, name.tag);
  if (name.page === 'event') return loadEventPage(source, name.slug);
  return name.page === 'day-passes' ? loadPassesPage(source) : null;
}

const loadedTexts = new Map<Language, Texts>([['en', englishTexts]]);

async function getTexts(language: Language): Promise<Texts> {
  const texts =
    loadedTexts.get(language) ?? createTexts(language, await LANGUAGES[language].load());
  loadedTexts.set(language, texts);
  return texts;
}

/** Renders a page with what `load` has read. */
export async function render(
  name: PageName,
  loaded: LoadedPage | null,
  { baseUrl, now, settings }: Omit<Source, 'execute'> & { now: Date },
): Promise<RenderedPage> {
  const client = new QueryClient();
  const readAt = now.getTime();
  const queries = loaded?.queries ?? [];
  for (const [key, data] of queries) client.setQueryData(key, data, { updatedAt: readAt });
  const texts = await getTexts(settings.language);
  const show = () => {
    setPageTexts(texts);
    setSpaceName(settings.name);
    setTaxNote(settings.taxNote);
  };
  const markup = await renderBody(client, { baseUrl, now, show }, toPath(name));
  // The rest runs at once, so another page cannot change the texts and the name in between.
  show();
  const { head, body } = splitHead(markup);
  return {
    head: head + (loaded === null ? NOINDEX : renderHead(loaded.head, baseUrl, settings.language)),
    body,
    data: loaded === null ? '' : renderData({ readAt, queries }),
    modules: ['public/PublicShell.tsx', MODULES[name.page]],
  };
}

const MODULES = {
  events: 'public/events/EventsPage.tsx',
  event: 'public/events/EventPage.tsx',
  'day-passes': 'public/day-passes/DayPassesPage.tsx',
  'not-found': 'public/PublicNotFoundPage.tsx',
} satisfies Record<PageName['page'], string>;

function toPath(name: PageName): string {
  if (name.page === 'event') return `events/${name.slug}`;
  if (name.page === 'not-found') return 'events/not/found';
  return name.page === 'events' && name.tag !== ''
    ? `events?tag=${encodeURIComponent(name.tag)}`
    : name.page;
}

const routes = toPublicRouterRoutes();

async function renderBody(
  client: QueryClient,
  { baseUrl, now, show }: { baseUrl: string; now: Date; show: () => void },
  path: string,
): Promise<string> {
  const basename = new URL(baseUrl).pathname.replace(/\/$/, '') || '/';
  const handler = createStaticHandler(routes, { basename });
  const context = await handler.query(new Request(`${baseUrl}/${path}`));
  if (context instanceof Response) throw new Error(`${path} redirects`);
  const router = createStaticRouter(handler.dataRoutes, context);
  // The rest runs at once, so another page cannot change the texts and the name in between.
  show();
  return renderToString(
    <Providers client={client}>
      <RenderTimeContext value={now}>
        <StaticRouterProvider router={router} context={context} hydrate={false} />
      </RenderTimeContext>
    </Providers>,
  );
}

/** React writes the title of a page, and what else belongs to the head, before the content. */
function splitHead(markup: string): { head: string; body: string } {
  const [head = ''] = /^(?:<(?:link|meta) [^>]*>|<title>[^<]*<\/title>)*/.exec(markup) ?? [];
  return { head, body: markup.slice(head.length) };
}

const NOINDEX = '<meta name="robots" content="noindex">';

const MAX_DESCRIPTION_LENGTH = 300;

function renderHead(
  { path, title, type, ...head }: LoadedPage['head'],
  baseUrl: string,
  language: Language,
): string {
  const url = `${baseUrl}/${path}`;
  const description = truncate(head.description.replace(/\s+/g, ' '));
  const properties = {
    'og:title': title,
    'og:description': description,
    'og:type': type,
    'og:url': url,
    'og:site_name': getSpaceName(),
    'og:locale': LANGUAGES[language].locale,
  };
  return [
    `<meta name="description" content="${escapeText(description)}">`,
    `<link rel="canonical" href="${escapeText(url)}">`,
    ...Object.entries(properties).map(
      ([name, content]) => `<meta property="${name}" content="${escapeText(content)}">`,
    ),
    '<meta name="twitter:card" content="summary">',
    `<link rel="alternate" type="text/calendar" title="${escapeText(getText('page.events'))}" href="${escapeText(`${baseUrl}/public/events.ics`)}">`,
    renderJson('type="application/ld+json"', head.structuredData),
  ].join('');
}

function truncate(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= MAX_DESCRIPTION_LENGTH) return text;
  return `${characters
    .slice(0, MAX_DESCRIPTION_LENGTH - 1)
    .join('')
    .trimEnd()}…`;
}

const renderData = (data: InitialData) =>
  renderJson(`type="application/json" id="${INITIAL_DATA_ID}"`, data);

/** Browsers do not execute these scripts. No text in them can end the element. */
const renderJson = (attributes: string, value: object) =>
  `<script ${attributes}>${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeText = (text: string) =>
  text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
