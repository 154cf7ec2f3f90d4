import { type Context, runInTransaction } from '../../context.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { recordUpdated } from '../../journal/record-changes.ts';
import { ONLY_ROW } from '../../journal/subjects.ts';
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

/** Changes the settings. Callers must check that the viewer is an owner. */
export async function updateSettings(ctx: Context, settings: Settings): Promise<Settings> {
  await runInTransaction(ctx, async (ctx) => {
    const { setup } = ctx.db;
    await setup.createMany({ data: [{ id: 1 }], skipDuplicates: true });
    await recordUpdated(ctx, 'settings.updated', [ONLY_ROW], () =>
      setup.update({ where: { id: 1 }, data: settings }),
    );
  });
  return readSettings(ctx);
}
