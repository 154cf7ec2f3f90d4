import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'vitepress';
import { describeErrorReasons } from './site/error-reasons.ts';
import { describeGraphql } from './site/graphql-reference.ts';
import { readIndex } from './site/index-page.ts';
import { BASE, BASE_URL, OUTPUT, SOURCE } from './site/paths.ts';
import { describeRest } from './site/rest-reference.ts';

// Builds the documentation site: the pages of docs/ and the references, as HTML and as Markdown, for people and for language
// models. With --source, it only writes the Markdown, for "npm run docs:dev".

const isPage = (file: string) => file.endsWith('.md');

/** Comments say what tests do with a block, or which part is generated. */
const removeComments = (markdown: string) => markdown.replace(/^<!--.*?-->\n+/gms, '');

/** In a folder, the site opens index.md, and GitHub README.md. */
const toSitePath = (file: string) => file.replace(/README\.md$/, 'index.md');

function toSitePage(file: string, markdown: string): string {
  const above = '../'.repeat(file.split('/').length - 1);
  return removeComments(markdown)
    .replaceAll(`](${above}../README.md`, `](${above}readme.md`)
    .replaceAll(`](${above}../CHANGELOG.md`, `](${above}changelog.md`)
    .replace(/(\]\([^)\s]*)README\.md/g, '$1index.md');
}

/** Returns a page that lies above the others in the repository, and beside them on the site. */
const toRootPage = (file: string) =>
  removeComments(readFileSync(file, 'utf8'))
    .replaceAll('](README.md', '](readme.md')
    .replaceAll('](LICENSE)', '](https://opensource.org/license/mit)')
    .replace(/<img [^>]*>\s*/g, '')
    .replaceAll('](CHANGELOG.md', '](changelog.md')
    .replace(
      /\]\(docs\/([^)]*)/g,
      (_, path: string) => `](${path.replace(/README\.md/, 'index.md')}`,
    );

function write(file: string, text: string): void {
  const path = join(SOURCE, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function writeSource(): void {
  rmSync(SOURCE, { recursive: true, force: true });
  for (const file of readdirSync('docs', { recursive: true, encoding: 'utf8' })) {
    if (file.startsWith('.vitepress')) continue;
    if (isPage(file))
      write(toSitePath(file), toSitePage(file, readFileSync(`docs/${file}`, 'utf8')));
    // Other files keep their names, so that links to them work.
    else if (/\.\w+$/.test(file)) cpSync(`docs/${file}`, join(SOURCE, 'public', file));
    if (/^images\//.test(file)) cpSync(`docs/${file}`, join(SOURCE, file));
  }
  cpSync('src/web/favicon.svg', join(SOURCE, 'public/favicon.svg'));
  for (const file of ['README.md', 'CHANGELOG.md']) write(file.toLowerCase(), toRootPage(file));
  write('404.md', NOT_FOUND);
  write('reference/error-reasons.md', describeErrorReasons());
  write('reference/rest.md', describeRest());
  write('reference/rest-explorer.md', REST_EXPLORER);
  for (const [file, page] of Object.entries(describeGraphql()))
    write(`reference/graphql/${file}`, page);
}

const NOT_FOUND = `---
sidebar: false
---

# Page not found

There is no page at this address. Search for what you need, or go to [the start](index.md).
`;

const REST_EXPLORER = `# REST explorer

[Open the explorer](../rest-explorer/index.html){target="_self"}: every operation of the REST API with its parameters, the schemas of its
responses and examples. It runs requests with your API token, which it keeps only while the page is open.
`;

/** Copies the files of the interactive reference. It is a page of its own, since it is large. */
function writeExplorer(): void {
  const folder = join(OUTPUT, 'rest-explorer');
  const viewer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  mkdirSync(folder, { recursive: true });
  for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css'])
    cpSync(join(viewer, file), join(folder, file));
  for (const file of readdirSync('docs/.vitepress/rest-explorer'))
    cpSync(`docs/.vitepress/rest-explorer/${file}`, join(folder, file));
}

/** Writes the Markdown of each page beside its HTML. */
function writeMarkdown(): void {
  for (const file of readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })) {
    if (!isPage(file)) continue;
    cpSync(join(SOURCE, file), join(OUTPUT, file));
  }
}

/** Writes the index and the whole text for language models, by the convention of llmstxt.org. */
function writeTexts(): void {
  const index = readIndex(readFileSync('docs/README.md', 'utf8'));
  const title =
    '# Foyer\n\n> An open-source service for coworking spaces and community houses: members and bookings, events and tickets, day passes, check-in, displays, and APIs for other programs.';
  const sections = index.map(
    (section) =>
      `## ${section.title}\n\n${section.entries
        .map((entry) => `- [${entry.title}](${toUrl(entry.file)}): ${entry.description}`)
        .join('\n')}`,
  );
  const references = [
    '## References',
    `- [Error reasons](${BASE_URL}reference/error-reasons.md): the cause of each error`,
    `- [REST](${BASE_URL}reference/rest.md): every operation with its parameters and scopes`,
    ...Object.keys(describeGraphql()).map(
      (file) => `- [GraphQL ${file.replace('.md', '')}](${BASE_URL}reference/graphql/${file})`,
    ),
  ];
  const intro = `The whole text, without the references: ${BASE_URL.replace(/docs\/$/, 'llms-full.txt')}`;
  writeFileSync(
    join(OUTPUT, 'llms.txt'),
    `${[title, intro, ...sections, references.join('\n')].join('\n\n').replace('## References\n', '## References\n\n')}\n`,
  );

  const files = new Set(index.flatMap(({ entries }) => entries.map(({ file }) => file)));
  const pages = [...files].filter((file) => !file.startsWith('..'));
  const texts = pages.map((file) => {
    const text = readFileSync(join(SOURCE, toSitePath(file)), 'utf8');
    return `<!-- ${toUrl(file)} -->\n\n${text.trim()}`;
  });
  writeFileSync(join(OUTPUT, 'llms-full.txt'), `${[title, ...texts].join('\n\n')}\n`);
}

const toUrl = (file: string) =>
  BASE_URL + toSitePath(file.replace('../CHANGELOG.md', 'changelog.md'));

writeSource();
if (!process.argv.includes('--source')) {
  await build('docs', { base: BASE, outDir: OUTPUT });
  writeMarkdown();
  writeExplorer();
  writeTexts();
  rmSync(SOURCE, { recursive: true });
}
process.exit(0);
