import { type Context, runInTransaction } from '../../context.ts';
import { formatMoney, type Money } from '../../core/money.ts';
import type { DisputedAdmission, TaxNote } from '../../db/generated/enums.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { recordUpdated } from '../../journal/record-changes.ts';
import { ONLY_ROW } from '../../journal/subjects.ts';
import {
  type EmailTexts,
  getEmailTexts,
  type SpaceTexts,
} from '../../languages/emails/email-texts.ts';
import { type Language, toLanguage } from '../../languages/languages.ts';
import type { SpaceSettings } from '../../languages/space-settings.ts';

/** What applies to the whole installation. */
export interface Settings extends SpaceSettings {
  /** Whether tickets and day passes admit while their payment is disputed. */
  disputedAdmission: DisputedAdmission;
  /** Their version. `NEVER_CHANGED` if they were never changed. */
  updatedAt: Date;
}

/** The version of settings that were never changed, so that the first two editors cannot overwrite each other either. */
const NEVER_CHANGED = new Date(0);

const READ_SETTINGS = prepareStatement(
  'SELECT language, name, tax_note, disputed_admission, updated_at FROM setup',
);

/** Reads the settings. */
export async function readSettings({ pipelinedSql }: Context): Promise<Settings> {
  type Row = {
    language: string | null;
    name: string | null;
    tax_note: TaxNote;
    disputed_admission: DisputedAdmission;
    updated_at: Date;
  };
  const [row] = await pipelinedSql<Row>(READ_SETTINGS, []);
  return {
    language: toLanguage(row?.language),
    name: row?.name ?? null,
    taxNote: row?.tax_note ?? 'none',
    disputedAdmission: row?.disputed_admission ?? 'ask',
    updatedAt: row?.updated_at ?? NEVER_CHANGED,
  };
}

/** SQL: the language of the space, for `toLanguage`. */
export const LANGUAGE_SQL = '(SELECT language FROM setup)';

/** SQL: what prices say about tax. Null: nothing. */
export const TAX_NOTE_SQL = '(SELECT tax_note FROM setup)';

/** SQL: whether tickets and day passes admit while their payment is disputed. */
export const DISPUTED_ADMISSION_SQL = `coalesce((SELECT disputed_admission FROM setup), 'ask')`;

/** Reads the texts of emails in the language of the space: once for all emails of a command or a batch. */
export async function readEmailTexts(ctx: Context): Promise<SpaceTexts> {
  const { language, name, taxNote } = await readSettings(ctx);
  return { ...getEmailTexts(language), spaceName: name, taxNote };
}

/** The texts of a space that prices need. */
export type PriceTexts = EmailTexts & Pick<SpaceTexts, 'taxNote'>;

/** Formats a price, with what the space says about tax: "€12.50 incl. VAT". */
export function formatPrice({ language, text, taxNote }: PriceTexts, price: Money): string {
  const money = formatMoney(price, language);
  if (taxNote === 'none' || price.amount === 0) return money;
  return text(taxNote === 'included' ? 'price.taxIncluded' : 'price.smallBusiness', { money });
}

/** What to change. Omitted fields stay as they are; null removes the name. */
export interface SettingsChanges {
  language?: Language | undefined;
  name?: string | null | undefined;
  taxNote?: TaxNote | undefined;
  disputedAdmission?: DisputedAdmission | undefined;
}

/**
 * Changes the settings. Callers must check that the viewer is an owner.
 * @throws CHANGED_MEANWHILE if they have another version than their editor has read
 */
export async function updateSettings(ctx: Context, changes: SettingsChanges): Promise<Settings> {
  await runInTransaction(ctx, async (ctx) => {
    const { setup } = ctx.db;
    const updatedAt = ctx.now();
    await setup.createMany({ data: [{ id: 1, updatedAt: NEVER_CHANGED }], skipDuplicates: true });
    await recordUpdated(ctx, 'settings.updated', [ONLY_ROW], () =>
      setup.update({ where: { id: 1 }, data: { ...changes, updatedAt } }),
    );
  });
  return readSettings(ctx);
}
