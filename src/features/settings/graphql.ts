import { builder } from '../../graphql/builder.ts';
import { addMutation } from '../../graphql/mutation.ts';
import { LANGUAGES, type Language } from '../../languages/languages.ts';
import { updateSettingsInput } from './inputs.ts';
import { readSettings, type Settings as SettingsValue, updateSettings } from './service.ts';

const LanguageType = builder.enumType('Language', {
  description: 'A language of a space',
  values: Object.fromEntries(
    Object.entries(LANGUAGES).map(([code, { name }]) => [
      code.toUpperCase(),
      { value: code, description: name },
    ]),
  ) as Record<Uppercase<Language>, { value: Language; description: string }>,
});

const TaxNoteType = builder.enumType('TaxNote', {
  description: 'What prices for guests and members say about tax',
  values: {
    NONE: {
      value: 'none',
      description: 'No tax note. For spaces that sell only to businesses',
    },
    INCLUDED: { value: 'included', description: 'Prices include tax' },
    SMALL_BUSINESS: {
      value: 'small_business',
      description: 'No VAT is charged. For small businesses in Germany (§ 19 UStG)',
    },
  } as const,
});

const DisputedAdmissionType = builder.enumType('DisputedAdmission', {
  description: 'Whether tickets and day passes admit while the buyer disputes their payment',
  values: {
    ASK: {
      value: 'ask',
      description: 'Only if staff admit their holders with `admitDisputed`',
    },
    ADMIT: { value: 'admit', description: 'They admit as others do' },
    REJECT: { value: 'reject', description: 'They do not admit' },
  } as const,
});

const Settings = builder.objectRef<SettingsValue>('Settings').implement({
  description: 'What applies to the whole installation',
  fields: (t) => ({
    name: t.exposeString('name', {
      nullable: true,
      description:
        'The name of the space, in the titles and previews of pages, and as the sender of emails; null if it has none',
    }),
    language: t.expose('language', {
      type: LanguageType,
      description:
        'The language of displays, kiosks, public pages, the pages of members and emails. Everything else is in English.',
    }),
    taxNote: t.expose('taxNote', {
      type: TaxNoteType,
      description:
        'What prices for guests and members say about tax, in pages, emails and receipts. It changes no price.',
    }),
    disputedAdmission: t.expose('disputedAdmission', {
      type: DisputedAdmissionType,
      description:
        'Whether tickets and day passes admit while the buyer disputes their payment with their bank',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When they were last changed. 1970-01-01T00:00:00.000Z: never.',
    }),
  }),
});

builder.queryField('settings', (t) =>
  t.field({
    type: Settings,
    description: 'Gets what applies to the whole installation',
    authScopes: { access: 'staff:manage' },
    resolve: (_, __, { ctx }) => readSettings(ctx),
  }),
);

addMutation('updateSettings', {
  description: 'Changes what applies to the whole installation',
  access: 'staff:owner',
  input: updateSettingsInput,
  takesVersion: true,
  payload: { settings: { type: Settings, description: 'What applies now' } },
  resolve: async (input, { ctx }) => ({ settings: await updateSettings(ctx, input) }),
});
