import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { getVariableValues, parse, validate } from 'graphql';
import { addSearchWords, SEARCH_WORDS } from '../../prisma/scripts/site/search-words.ts';
import { readPublishedSchema } from '../support/harness/worker/published-schema.ts';
import { PAGES, readBlocks, readPage } from './pages.ts';

const schema = readPublishedSchema();

describe('the documentation', () => {
  it('begins with a README of at most 150 lines', () => {
    expect(readPage('README.md').split('\n').length).toBeLessThanOrEqual(151);
  });

  it.each(PAGES)('%s has one title, and every language of a block is named', (page) => {
    const withoutBlocks = readPage(page).replace(/^```.*?^```$/gms, '');
    expect(withoutBlocks.match(/^# .+$/gm)).toHaveLength(1);
    expect(readBlocks(page).filter(({ language }) => language === '')).toEqual([]);
  });

  it.each(PAGES)('%s links to pages, sections and files that exist', (page) => {
    expect(findLinks(page).filter((link) => !isThere(page, link))).toEqual([]);
  });

  it('is complete: every page is linked from another one', () => {
    const linked = PAGES.flatMap((page) => findLinks(page).map((link) => resolve(page, link).path));
    expect(PAGES.filter((page) => page !== 'README.md' && !linked.includes(page))).toEqual([]);
  });

  it('has an index with every page, but for each decision', () => {
    const index = 'docs/README.md';
    const listed = findLinks(index).map((link) => resolve(index, link).path);
    const expected = PAGES.filter((page) => page !== index && !/decisions\/\d/.test(page));
    expect(expected.filter((page) => !listed.includes(page))).toEqual([]);
  });

  it('names files and folders that exist', () => {
    const missing = PAGES.flatMap((page) => {
      const text = readPage(page).replace(/^```.*?^```$/gms, '');
      const paths = [...text.matchAll(/`((?:src|test|prisma)\/[^`\s<*]+)`/g)];
      return paths
        .map(([, path = '']) => [page, path])
        .filter(([, path = '']) => !existsSync(path));
    });
    expect(missing).toEqual([]);
  });

  it('names parts of paths in the page about the architecture that exist', () => {
    const text = readPage('docs/architecture.md').replace(/^```.*?^```$/gms, '');
    const named = [...text.matchAll(/`([\w./-]+(?:\.(?:ts|cjs|prisma)|\/))`/g)];
    const paths = ['src', 'test', 'prisma'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
        (name) => `/${folder}/${name}`,
      ),
    );
    const isNamed = (part: string) =>
      existsSync(part) || paths.some((path) => path.endsWith(`/${part.replace(/\/$/, '')}`));
    const parts = [...new Set(named.map(([, part = '']) => part))];
    expect(parts.length).toBeGreaterThan(60);
    expect(parts.filter((part) => !isNamed(part))).toEqual([]);
  });

  it('uses each idempotency key on one page, because the examples of several pages run with one token', () => {
    const keysByPage = PAGES.map((page) => [
      ...new Set(readPage(page).match(/(?<=Idempotency-Key: |idempotencyKey: ')[a-z]+-\d+/g)),
    ]);
    const keys = keysByPage.flat();
    expect(keys.length).toBeGreaterThan(1);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  it('names scripts that package.json has', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const named = PAGES.flatMap((page) =>
      [...readPage(page).matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(
        ([, name]) => name ?? '',
      ),
    );
    expect(named.length).toBeGreaterThan(20);
    expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([]);
  });

  it('has GraphQL examples that fit schema.graphql, with variables that fit them', () => {
    for (const page of PAGES) {
      const blocks = readBlocks(page);
      for (const [n, { language, text, note, line }] of blocks.entries()) {
        if (language === 'graphql') {
          expect([page, line, validate(schema, parse(text))]).toEqual([page, line, []]);
        } else if (note === 'variables') {
          const [operation] = parse(blocks[n - 1]?.text ?? '').definitions;
          if (operation?.kind !== 'OperationDefinition') throw new Error(`${page}:${line}`);
          const { errors } = getVariableValues(
            schema,
            operation.variableDefinitions ?? [],
            JSON.parse(text),
          );
          expect([page, line, errors]).toEqual([page, line, undefined]);
        }
      }
    }
  });
});

describe('.env.example', () => {
  /** Of compose.yaml, and not of the service. */
  const COMPOSE_ONLY = ['FOYER_ADDRESS', 'FOYER_PORT', 'POSTGRES_PASSWORD'];
  const findVariables = (file: string) =>
    new Set([...readFileSync(file, 'utf8').matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name));

  it('explains every variable that the service reads, and no other', () => {
    const example = readFileSync('.env.example', 'utf8');
    const listed = [...example.matchAll(/^(?:# )?([A-Z][A-Z_]+)=/gm)].map(([, name]) => name);
    const config = readFileSync('src/config.ts', 'utf8');
    const read = [...config.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name);
    expect(read.length).toBeGreaterThan(15);
    expect(listed.sort()).toEqual([...read, ...COMPOSE_ONLY].sort());
  });

  it('names what the compose files take from the environment', () => {
    const settings = ['BASE_URL', 'DATABASE_CONNECTIONS', 'SHUTDOWN_DELAY'];
    expect([...findVariables('compose.yaml')].sort()).toEqual(
      [...settings, ...COMPOSE_ONLY].sort(),
    );
    expect([...findVariables('compose.scale.yaml')].sort()).toEqual(
      [...settings, 'TRUST_PROXY', ...COMPOSE_ONLY].sort(),
    );
  });

  it('is documented: the table of settings has every variable', () => {
    const guide = readPage('docs/guides/running.md');
    const example = readFileSync('.env.example', 'utf8');
    const names = [...example.matchAll(/^(?:# )?([A-Z][A-Z_]+)=/gm)].map(([, name]) => name ?? '');
    const missing = names.filter((name) => !guide.includes(`\`${name}\``));
    expect(missing.filter((name) => name !== 'STRIPE_API_BASE')).toEqual([]);
  });
});

describe('the Dockerfile', () => {
  it('copies files that exist and that .dockerignore lets through', () => {
    const dockerfile = readFileSync('Dockerfile', 'utf8');
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, sources = '']) => sources.split(' '),
    );
    const allowed = [...readFileSync('.dockerignore', 'utf8').matchAll(/^!(.+)$/gm)].map(
      ([, path]) => path,
    );
    expect(copied.length).toBeGreaterThan(5);
    expect(copied.filter((path) => !existsSync(path))).toEqual([]);
    expect(copied.filter((path) => !allowed.includes(path.split('/')[0]))).toEqual([]);
  });
});

/** The links of a page within itself, to other pages and to files, without web addresses. */
function findLinks(page: string): string[] {
  const text = readPage(page).replace(/^```.*?^```$/gms, '');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|<img[^>]* src="([^"]+)"/g)];
  return links
    .map(([, link, image]) => link ?? image ?? '')
    .filter((link) => !/^(https?|mailto):/.test(link));
}

function resolve(page: string, link: string): { path: string; section: string | undefined } {
  const [path = '', section] = link.split('#');
  return { path: path === '' ? page : normalize(join(dirname(page), path)), section };
}

function isThere(page: string, link: string): boolean {
  const { path, section } = resolve(page, link);
  if (!existsSync(path)) return false;
  return section === undefined || findSections(path).includes(section);
}

/** The anchors that GitHub gives to the headings of a page. */
const findSections = (page: string) =>
  [...readPage(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('the search of the site', () => {
  const index = (page: string) =>
    addSearchWords(page, readFileSync(`docs/${page}`, 'utf8'), (heading) => heading);

  it.each([
    ['gdpr', 'personal-data.md'],
    ['book a desk', 'recipes/booking-form.md'],
    ['retry', 'guides/client.md'],
    ['pagination', 'guides/graphql.md'],
    ['cors', 'guides/rest.md'],
  ])('finds "%s" in a heading of %s', (words, page) => {
    const headings = index(page)
      .split('\n')
      .filter((line) => line.startsWith('#'));
    expect(headings.join('\n').toLowerCase()).toContain(words);
  });

  it('has the words of every page, and not the changelog', () => {
    for (const [page] of SEARCH_WORDS) expect(index(page)).toContain('{#');
    expect(addSearchWords('changelog.md', '# Changelog', (heading) => heading)).toBe('');
  });
});
