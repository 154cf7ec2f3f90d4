import { type Context, runInTransaction } from '../../context.ts';
import type { InputOf } from '../../core/validation.ts';
import { recordUpdated } from '../../journal/record-changes.ts';
import type { updateMyAccountInput, updateNotificationSettingsInput } from './inputs.ts';

/** Which emails a staff user wants, besides those about their own account. */
export interface NotificationSettings {
  /** Displays that have been offline for 15 minutes. */
  offlineDisplays: boolean;
  /** Bookings that need approval. Owners and managers want them until they choose otherwise. */
  bookingRequests: boolean;
}

/** Gets the settings of the viewer. Callers must check that the viewer is staff. */
export async function getNotificationSettings(ctx: Context): Promise<NotificationSettings> {
  const { wantsOutageEmails, wantsRequestEmails, role } = await ctx.db.user.findUniqueOrThrow({
    where: { id: getStaffId(ctx) },
    select: { wantsOutageEmails: true, wantsRequestEmails: true, role: true },
  });
  return {
    offlineDisplays: wantsOutageEmails,
    bookingRequests: wantsRequestEmails ?? role !== 'front_desk',
  };
}

/** Changes the settings of the viewer. Omitted settings stay unchanged. Callers must check that the viewer is staff. */
export async function updateNotificationSettings(
  ctx: Context,
  { offlineDisplays, bookingRequests }: InputOf<typeof updateNotificationSettingsInput>,
): Promise<NotificationSettings> {
  const id = getStaffId(ctx);
  await runInTransaction(ctx, (ctx) =>
    recordUpdated(ctx, 'staff.notifications_changed', [id], () =>
      ctx.db.user.update({
        where: { id },
        data: { wantsOutageEmails: offlineDisplays, wantsRequestEmails: bookingRequests },
      }),
    ),
  );
  return getNotificationSettings(ctx);
}

/** Changes the name of the viewer. Callers must check that the viewer is staff. */
export async function updateMyAccount(
  ctx: Context,
  { name }: InputOf<typeof updateMyAccountInput>,
): Promise<void> {
  const id = getStaffId(ctx);
  await runInTransaction(ctx, (ctx) =>
    recordUpdated(ctx, 'staff.renamed', [id], () =>
      ctx.db.user.update({ where: { id }, data: { name, updatedAt: ctx.now() } }),
    ),
  );
}

function getStaffId({ viewer }: Context): string {
  if (viewer.kind !== 'staff') throw new Error('callers must check that the viewer is staff');
  return viewer.id;
}
