import {
  listRecipeCode,
  listRecipePages,
  showRecipeCode,
} from '../../prisma/scripts/recipe-pages.ts';
import { readBlocks, readPage } from '../docs/pages.ts';

const INDEX = 'docs/recipes/README.md';
const PAGES = listRecipePages().filter((page) => page !== INDEX);

describe('the pages of recipes', () => {
  it.each(PAGES)('%s shows its files as they are; "npm run docs" copies them', (page) => {
    expect(readPage(page)).toBe(showRecipeCode(page));
  });

  it('show the code of every recipe once', () => {
    const shown = PAGES.flatMap((page) => readBlocks(page).map(({ text }) => text));
    const files = listRecipeCode();
    expect(files.length).toBeGreaterThan(7);
    expect(
      files.filter((file) => shown.filter((text) => text === readPage(file)).length !== 1),
    ).toEqual([]);
  });

  it('show programs for Node and browsers that use the typed client', () => {
    const programs = listRecipeCode().filter((file) => /\.m?js$/.test(file));
    expect(programs.length).toBeGreaterThan(4);
    for (const file of programs) {
      expect([file, readPage(file)]).toEqual([
        file,
        expect.stringContaining("from '@foyer/client"),
      ]);
      expect([file, readPage(file)]).toEqual([file, expect.not.stringContaining('fetch(')]);
    }
  });

  it.each(PAGES)('%s says what is needed, how to run it and what goes wrong', (page) => {
    const sections = [...readPage(page).matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(sections).toEqual(expect.arrayContaining(['What you need', 'What goes wrong']));
    expect(readPage(page)).toMatch(/^\s*\$ .*(node|python3) /m);
  });
});
