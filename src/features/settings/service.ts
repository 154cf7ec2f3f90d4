import type { Context } from '../../context.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '../../languages/languages.ts';

/** What applies to the whole installation. */
export interface Settings {
  /** Of displays, kiosks and public pages. */
  language: Language;
}

const READ_SETTINGS = prepareStatement('SELECT language FROM setup');

/** Reads the settings. A language that only a newer version has is read as the default. */
export async function readSettings({ pipelinedSql }: Context): Promise<Settings> {
  const [row] = await pipelinedSql<{ language: string | null }>(READ_SETTINGS, []);
  return { language: isLanguage(row?.language) ? row.language : DEFAULT_LANGUAGE };
}

export async function updateSettings(ctx: Context, settings: Settings): Promise<Settings> {
  await ctx.db.setup.upsert({ where: { id: 1 }, create: settings, update: settings });
  return readSettings(ctx);
}
