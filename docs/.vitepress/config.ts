import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { readIndex } from '../../prisma/scripts/site/index-page.ts';
import { BASE, SOURCE } from '../../prisma/scripts/site/paths.ts';
import { addSearchWords } from '../../prisma/scripts/site/search-words.ts';

// The documentation site. Its pages are gathered in SOURCE, and its sidebar is the index in docs/README.md.

const toLink = (file: string) =>
  `/${file.replace('../CHANGELOG', 'changelog').replace(/(README)?\.md$/, '')}`;

const sidebar = readIndex(readFileSync('docs/README.md', 'utf8')).map(({ title, entries }) => ({
  text: title,
  items: entries.map((entry) => ({ text: entry.title, link: toLink(entry.file) })),
}));

const references = {
  text: 'References',
  items: [
    { text: 'GraphQL queries', link: '/reference/graphql/queries' },
    { text: 'GraphQL mutations', link: '/reference/graphql/mutations' },
    { text: 'GraphQL subscriptions', link: '/reference/graphql/subscriptions' },
    { text: 'GraphQL objects', link: '/reference/graphql/objects' },
    { text: 'GraphQL inputs', link: '/reference/graphql/inputs' },
    { text: 'GraphQL enums', link: '/reference/graphql/enums' },
    { text: 'GraphQL scalars, interfaces and unions', link: '/reference/graphql/other' },
    { text: 'Error reasons', link: '/reference/error-reasons' },
    { text: 'REST operations', link: '/reference/rest' },
    { text: 'REST explorer', link: '/reference/rest-explorer' },
  ],
};

const BEFORE_REFERENCES = 3;

/** As GitHub names sections, so that links work on both. */
const slugify = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

export default defineConfig({
  lang: 'en',
  title: 'Foyer',
  description: 'Documentation of Foyer, the open-source service for coworking spaces',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${BASE}favicon.svg` }]],
  srcDir: SOURCE,
  cacheDir: 'node_modules/.cache/vitepress',
  cleanUrls: true,
  ignoreDeadLinks: 'localhostLinks',
  metaChunk: true,
  markdown: {
    anchor: { slugify },
    // Text such as <token> is no HTML, and {{name}} is no template.
    html: false,
    config: ({ renderer, utils }) => {
      const toText = (text = '') => utils.escapeHtml(text).replaceAll('{{', '&#123;&#123;');
      renderer.rules.text = (tokens, index) => toText(tokens[index]?.content);
      renderer.rules.code_inline = (tokens, index) =>
        `<code>${toText(tokens[index]?.content)}</code>`;
    },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
  },
  vite: { publicDir: `${SOURCE}/public` },
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/guides/first-steps' },
      { text: 'GraphQL', link: '/reference/graphql/queries' },
      { text: 'REST', link: '/reference/rest' },
      { text: 'Errors', link: '/reference/error-reasons' },
    ],
    sidebar: [
      ...sidebar.slice(0, BEFORE_REFERENCES),
      references,
      ...sidebar.slice(BEFORE_REFERENCES),
    ],
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        _render: (text, env, md) => md.render(addSearchWords(env.relativePath, text, slugify), env),
      },
    },
    externalLinkIcon: true,
  },
});
