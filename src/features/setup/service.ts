import type { Context } from '../../context.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';

/** The steps to a working space, in the order in which people take them. */
const SETUP_STEPS = [
  'location',
  'opening_hours',
  'resources',
  'api_key',
  'display',
  'test_email',
  'members',
  'staff',
] as const;
type SetupStep = (typeof SETUP_STEPS)[number];

export interface SetupChecklist {
  done: SetupStep[];
  open: SetupStep[];
  /** When an owner hid the checklist, or null. */
  dismissedAt: Date | null;
}

// Each condition finds its first row in an index or at the start of a table.
const READ_STEPS = prepareStatement(`
  SELECT EXISTS (SELECT FROM locations) AS location,
    EXISTS (SELECT FROM opening_hours) AS opening_hours,
    EXISTS (SELECT FROM resources) AS resources,
    EXISTS (SELECT FROM api_tokens WHERE revoked_at IS NULL) AS api_key,
    EXISTS (SELECT FROM displays WHERE revoked_at IS NULL) AS display,
    EXISTS (SELECT FROM setup WHERE test_email_sent_at IS NOT NULL) AS test_email,
    EXISTS (SELECT FROM members) AS members,
    EXISTS (SELECT FROM users WHERE role IS NOT NULL OFFSET 1) AS staff,
    (SELECT checklist_dismissed_at FROM setup) AS dismissed_at`);

type StepsRow = Record<SetupStep, boolean> & { dismissed_at: Date | null };

/** Says which steps of the setup are done. They follow from the data, so whoever takes a step anywhere completes it. */
export async function getSetupChecklist({ pipelinedSql }: Context): Promise<SetupChecklist> {
  const [row] = await pipelinedSql<StepsRow>(READ_STEPS, []);
  const isDone = (step: SetupStep) => row?.[step] === true;
  return {
    done: SETUP_STEPS.filter(isDone),
    open: SETUP_STEPS.filter((step) => !isDone(step)),
    dismissedAt: row?.dismissed_at ?? null,
  };
}

/** Hides the checklist from all owners of the installation. */
export async function dismissSetupChecklist(ctx: Context): Promise<SetupChecklist> {
  const dismissed = { checklistDismissedAt: ctx.now() };
  await ctx.db.setup.upsert({ where: { id: 1 }, create: dismissed, update: dismissed });
  return getSetupChecklist(ctx);
}
