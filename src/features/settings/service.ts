import { type Context, runInTransaction } from '../../context.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { recordUpdated } from '../../journal/record-changes.ts';
import { ONLY_ROW } from '../../journal/subjects.ts';
import { getEmailTexts, type SpaceTexts } from '../../languages/emails/email-texts.ts';
import { type Language, toLanguage } from '../../languages/languages.ts';

/** What applies to the whole installation. */
export interface Settings {
  /** Of displays, kiosks, public pages, the pages of members and emails. */
  language: Language;
  /** Of the space, in the titles and previews of pages, and as the sender of emails. Null: it has none. */
  name: string | null;
}

const READ_SETTINGS = prepareStatement('SELECT language, name FROM setup');

/** Reads the settings. */
export async function readSettings({ pipelinedSql }: Context): Promise<Settings> {
  type Row = { language: string | null; name: string | null };
  const [row] = await pipelinedSql<Row>(READ_SETTINGS, []);
  return { language: toLanguage(row?.language), name: row?.name ?? null };
}

/** SQL: the language of the space, for `toLanguage`. */
export const LANGUAGE_SQL = '(SELECT language FROM setup)';

/** Reads the texts of emails in the language of the space: once for all emails of a command or a batch. */
export async function readEmailTexts(ctx: Context): Promise<SpaceTexts> {
  const { language, name } = await readSettings(ctx);
  return { ...getEmailTexts(language), spaceName: name };
}

/** What to change. Omitted fields stay as they are; null removes the name. */
export interface SettingsChanges {
  language?: Language | undefined;
  name?: string | null | undefined;
}

/** Changes the settings. Callers must check that the viewer is an owner. */
export async function updateSettings(ctx: Context, changes: SettingsChanges): Promise<Settings> {
  await runInTransaction(ctx, async (ctx) => {
    const { setup } = ctx.db;
    await setup.createMany({ data: [{ id: 1 }], skipDuplicates: true });
    await recordUpdated(ctx, 'settings.updated', [ONLY_ROW], () =>
      setup.update({ where: { id: 1 }, data: changes }),
    );
  });
  return readSettings(ctx);
}
