import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { html } from '../core/html-page.ts';
import { LANGUAGES, type Language } from '../languages/languages.ts';
import type { SpaceSettings } from '../languages/space-settings.ts';

export const BUILD_DIRECTORY = fileURLToPath(new URL('../../dist/web/', import.meta.url));

/** The parts of a page that the service has rendered, as HTML. The bundle of the pages makes them. */
export interface RenderedPage {
  head: string;
  body: string;
  data: string;
  modules: string[];
}

/** An entry of the list of files that the build of the pages writes. */
interface BuiltFile {
  file: string;
  css?: string[];
  imports?: string[];
}

type Manifest = Record<string, BuiltFile>;

const NOINDEX_TAG = '<meta name="robots" content="noindex" />';
const EMPTY_ROOT = '<div id="root"></div>';
const TEMPLATE_LANGUAGE = 'lang="en"';
const TITLE_TAG = /<title>[^<]*<\/title>/;
const NO_SCRIPT_NOTE = '<noscript>This page needs JavaScript.</noscript>';
const NEEDS_SCRIPTS = /<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g;

/**
 * Returns the headers of a page. Other websites can show it in a frame only if they are among `frameAncestors`. Scripts within the page
 * run only if their hashes are among `scripts`.
 */
export const toPageHeaders = ({
  frameAncestors = ["'none'"],
  scripts = [],
}: {
  frameAncestors?: string[];
  scripts?: string[];
} = {}) => ({
  'content-security-policy': `default-src 'self'; ${scripts.length > 0 ? `script-src 'self' ${scripts.join(' ')}; ` : ''}style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors ${frameAncestors.join(' ')}; base-uri 'self'; form-action 'self'`,
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
});

/** Returns a page whose content the browser loads, with the language and the name of the space. */
export async function createShell(
  file: string,
  basePath: string,
  {
    isIndexable = false,
    isForMembers = false,
    settings,
  }: { isIndexable?: boolean; isForMembers?: boolean; settings: SpaceSettings },
): Promise<string> {
  const { language, name } = settings;
  const texts = await LANGUAGES[language].load();
  return readTemplate(file, basePath)
    .replace(isIndexable ? NOINDEX_TAG : '', '')
    .replace(TEMPLATE_LANGUAGE, `lang="${language}"`)
    .replace(TITLE_TAG, (tag) => (name === null ? tag : html`<title>${name}</title>`.text))
    .replace(NO_SCRIPT_NOTE, `<noscript>${texts['page.needsScript']}</noscript>`)
    .replace(
      '</head>',
      () => `${renderSettings(settings)}${renderTextsLinks(language, isForMembers)}</head>`,
    );
}

/** Tells the page what prices say about tax. The browser, and programs that install pages, read the name of the space, too. */
const renderSettings = ({ name, taxNote }: SpaceSettings) =>
  (name === null ? '' : html`<meta name="application-name" content="${name}">`.text) +
  (taxNote === 'none' ? '' : html`<meta name="tax-note" content="${taxNote}">`.text);

/** Makes the browser load the texts of the page early. English is part of the pages. */
function renderTextsLinks(language: Language, isForMembers = false): string {
  if (language === 'en') return '';
  const manifest = readManifest();
  const names = isForMembers ? [`${language}.ts`, `member/${language}.ts`] : [`${language}.ts`];
  return names
    .flatMap((name) => manifest[`../languages/${name}`]?.file ?? [])
    .map((file) => `<link rel="modulepreload" href="${file}">`)
    .join('\n');
}

export const isPageBuilt = (file: string): boolean => existsSync(BUILD_DIRECTORY + file);

/**
 * Returns a page with its content. The browser takes it over if there is data, and else needs no script. Without scripts, the
 * colors are the light ones.
 */
export function createDocument(
  { head, body, data, modules }: RenderedPage,
  basePath: string,
  settings: SpaceSettings,
) {
  const { language } = settings;
  const manifest = readManifest();
  const template = readTemplate('index.html', basePath);
  const styles = [...new Set(modules.flatMap((module) => findStyles(manifest, module)))].filter(
    (file) => !template.includes(file),
  );
  const scripts = data === '' ? [] : findScripts(manifest, modules);
  const colorScheme = manifest['app/color-scheme.ts']?.file;
  const page = template
    .replace(TEMPLATE_LANGUAGE, `lang="${language}"`)
    .replace('<html', '<html data-mantine-color-scheme="light"')
    .replace(NOINDEX_TAG, '')
    .replace(TITLE_TAG, () => head + renderSettings(settings))
    .replace(NO_SCRIPT_NOTE, '')
    .replace('</head>', () =>
      [
        ...(colorScheme === undefined ? [] : [`<script src="${colorScheme}"></script>`]),
        ...styles.map((file) => `<link rel="stylesheet" href="${file}">`),
        ...scripts.map((file) => `<link rel="modulepreload" href="${file}">`),
        ...(data === '' ? [] : [renderTextsLinks(language)]),
        '</head>',
      ].join('\n'),
    )
    .replace(EMPTY_ROOT, () => `<div id="root">${body}</div>${data}`);
  return data === '' ? page.replace(NEEDS_SCRIPTS, '') : page;
}

const readTemplate = (file: string, basePath: string) =>
  readFileSync(BUILD_DIRECTORY + file, 'utf8').replace(
    '<head>',
    `<head><base href="${basePath}/admin/">`,
  );

const readManifest = (): Manifest =>
  JSON.parse(readFileSync(`${BUILD_DIRECTORY}manifest.json`, 'utf8'));

/** Returns the styles of a module and of what it imports, in the order of the imports. */
function findStyles(manifest: Manifest, module: string, seen = new Set<string>()): string[] {
  const built = manifest[module];
  if (built === undefined || seen.has(module)) return [];
  seen.add(module);
  return [
    ...(built.imports ?? []).flatMap((name) => findStyles(manifest, name, seen)),
    ...(built.css ?? []),
  ];
}

const findScripts = (manifest: Manifest, modules: string[]) =>
  modules.flatMap((module) => manifest[module]?.file ?? []);
