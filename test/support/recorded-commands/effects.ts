import { findTokenScope, listOperations, toTable } from '../../../prisma/scripts/docs.ts';
import type { Context, JobTrigger } from '../../../src/context.ts';
import type { Change } from '../../../src/db/generated/client.ts';
import { visitReader } from '../../../src/features/check-ins/service/end-visits-of-members.ts';
import { mailReader } from '../../../src/features/notifications/service/mail-reader.ts';
import {
  getDefaultWording,
  TEMPLATE_KEYS,
} from '../../../src/integrations/email/template-catalog.ts';
import { jobs } from '../../../src/jobs/job-definitions.ts';
import { assignPositions } from '../../../src/journal/assign-positions.ts';
import { type ChangeType, toSubjectName } from '../../../src/journal/catalog.ts';
import { addReader, catchUp } from '../../../src/journal/read-changes.ts';
import { SUBJECTS, type SubjectName } from '../../../src/journal/subjects.ts';
import { getEmailTexts } from '../../../src/languages/emails/email-texts.ts';

/** What a command caused beside its response, at once or by a job. */
interface Effects {
  /** What it changed, such as `order`. */
  subjects: SubjectName[];
  /** The emails: keys of templates, otherwise subjects. A mailing has the subject that its author writes. */
  emails: string[];
  /** The fields of its input whose text is in these emails. */
  texts: string[];
}

/** Collects what commands cause. Give `triggerJob` to the service. */
export function createEffectsRecorder() {
  const triggered = new Set<string>();
  const byOperation = new Map<string, Effects[]>();
  const triggerJob: JobTrigger = async (_, job) => {
    triggered.add(job);
  };

  /** Lets the readers of the journal handle the changes after `start`, and runs the jobs that were triggered. */
  async function finishWork(context: Context, start: bigint): Promise<void> {
    const ctx = { ...context, triggerJob };
    await assignPositions(ctx);
    const [head] = await ctx.db.$queryRaw<{ position: number }[]>`
      SELECT coalesce(max(position), 0)::float8 AS position FROM changes WHERE sequence <= ${start}`;
    for (const reader of READERS) {
      await addReader(ctx, reader);
      await ctx.db.journalReader.update({
        where: { name: reader.name },
        data: { position: BigInt(head?.position ?? 0) },
      });
      await catchUp(ctx, reader);
    }
    const services = { mail: undefined, webhooks: undefined, signal: new AbortController().signal };
    for (const { name, run } of jobs.filter(({ name }) => triggered.has(name)))
      if (!DELIVERIES.includes(name)) await run(ctx, services);
    for (const reader of READERS) await catchUp(ctx, reader);
  }

  /** Runs a command with this input and records its effects. Returns the changes that it recorded itself. */
  async function record(
    ctx: Context,
    { operation, input }: { operation: string; input: object },
    work: () => Promise<Change[]>,
  ): Promise<Change[]> {
    const { db } = ctx;
    await db.mail.deleteMany();
    const last = await db.change.findFirst({ orderBy: { sequence: 'desc' } });
    const start = last?.sequence ?? 0n;
    triggered.clear();
    const recorded = await work();
    const read = (await Promise.all(READERS.map((reader) => reader.findTypes(ctx)))).flat();
    if (triggered.size > 0 || recorded.some(({ type }) => read.includes(type as ChangeType)))
      await finishWork(ctx, start);
    const changes = await db.change.findMany({ where: { sequence: { gt: start } } });
    const mails = await db.mail.findMany();
    const content = mails.map(({ subject, text, attachments }) =>
      [subject, text, JSON.stringify(attachments)].join('\n'),
    );
    const texts = findTexts(input);
    const effects = {
      subjects: changes.map(({ type }) => toSubjectName(type as ChangeType)),
      emails: mails.map(({ subject }) => {
        const isOwn = texts.some(([, text]) => text === subject);
        return isOwn ? '(the mailing)' : (findTemplate(subject) ?? `“${subject}”`);
      }),
      texts: texts
        .filter(([, text]) => content.some((mail) => mail.includes(text)))
        .map(([field]) => field),
    };
    byOperation.set(operation, [...(byOperation.get(operation) ?? []), effects]);
    return recorded;
  }

  /** Formats what the operations cause beyond rows of the noun of their scope. */
  function formatTable(): string {
    const rows = listOperations().flatMap((operation) => {
      const effects = byOperation.get(operation.name) ?? [];
      const scope = findTokenScope(operation);
      const own = scope?.split(':')[0];
      const subjects = effects
        .flatMap(({ subjects }) => subjects)
        .filter((subject) => SUBJECTS[subject].noun !== own);
      const emails = effects.flatMap(({ emails }) => emails);
      const texts = effects.flatMap(({ texts }) => texts);
      if (own === undefined || subjects.length + emails.length === 0) return [];
      return [
        [
          `\`${operation.name}\``,
          scope === 'any' ? 'nothing' : `\`${scope}\``,
          ...[subjects, emails, texts].map(formatCell),
        ],
      ];
    });
    return toTable(['Operation', 'Scope', 'Also changes', 'Emails', 'Texts in emails'], rows);
  }

  return { triggerJob, markTemplates, record, formatTable };
}

/** The readers of the journal that change rows or send emails. */
const READERS = [mailReader, visitReader];

/** Jobs that send what is queued. */
const DELIVERIES = ['mail.deliver', 'webhooks.deliver'];

const formatCell = (names: string[]) => [...new Set(names)].sort().join(', ') || '–';

/** The strings of an input that its caller has written, with their fields. */
const findTexts = (input: object): [field: string, text: string][] =>
  Object.entries(input).flatMap(([field, value]): [string, string][] => {
    if (value && typeof value === 'object') return findTexts(value);
    const isText = typeof value === 'string' && value.length > 2 && !NO_TEXT.test(value);
    return isText ? [[field, value]] : [];
  });

/** Ids, secrets, addresses, dates and enums. */
const NO_TEXT = /^([\da-f-]{36}|foyer\w+|\S+@\S+|\d{4}-\d\d-\d\d.*|[A-Z_]+)$/;

/** Lets the subject of each email end with the key of its template. */
async function markTemplates({ db }: Context): Promise<void> {
  const data = TEMPLATE_KEYS.map((key) => {
    const { subject } = getDefaultWording(getEmailTexts('en'), key);
    return { key, subject: `${subject} [${key}]` };
  });
  await db.emailTemplate.createMany({ data });
}

const findTemplate = (subject: string) => /\[([\w-]+)\]$/.exec(subject)?.[1];
