import { toCodeGuess } from '../../../auth/rate-limits.ts';
import { builder } from '../../../graphql/builder.ts';
import { AdmissionStatus } from '../types/graphql.ts';
import { type Admission as AdmissionValue, admissionOf } from './admission.ts';

const AdmittedEvent = builder.objectRef<NonNullable<AdmissionValue['event']>>('AdmittedEvent');
AdmittedEvent.implement({
  fields: (t) => ({
    slug: t.exposeString('slug'),
    title: t.exposeString('title'),
    startsAt: t.expose('startsAt', { type: 'DateTime' }),
    endsAt: t.expose('endsAt', { type: 'DateTime' }),
  }),
});

const Admission = builder.objectRef<AdmissionValue>('Admission');
Admission.implement({
  description: 'What a code lets its holder in to',
  fields: (t) => ({
    code: t.exposeString('code'),
    status: t.expose('status', { type: AdmissionStatus }),
    holderName: t.exposeString('holderName'),
    typeName: t.exposeString('typeName'),
    event: t.expose('event', { type: AdmittedEvent, nullable: true }),
    validOn: t.expose('validOn', { type: 'Date', nullable: true, description: 'Of a day pass' }),
    timeZone: t.exposeString('timeZone'),
    placeName: t.exposeString('placeName'),
    address: t.exposeString('address', { nullable: true }),
  }),
});

builder.queryField('admission', (t) =>
  t.field({
    type: Admission,
    description: 'For whoever holds the code of a ticket or a day pass',
    authScopes: { access: 'public' },
    args: { code: t.arg.string({ required: true }) },
    guess: (_, { deps, address }) => toCodeGuess(deps.rateLimits.admissionCodes, { address }),
    resolve: (_, { code }, { ctx }) => admissionOf(ctx, code),
  }),
);
