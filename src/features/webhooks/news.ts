import type { Ctx } from '../../context.ts';
import { tellOrderNews } from './order-news.ts';
import { tellStatusChanges } from './status-changes.ts';

/** Timed work: tells all that was noted where it happened. What keeps the one from being told does not keep the other. */
export const tellNews = (ctx: Ctx): Promise<void> =>
  tellStatusChanges(ctx).finally(() => tellOrderNews(ctx));
