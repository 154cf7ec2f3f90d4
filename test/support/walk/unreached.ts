const MUTATION_ONLY = 'only mutations return it';
const ENTRY_SECRET = 'needs the secret of the waiting-list entry';
const SUBSCRIPTION_ONLY = 'a subscription returns it, and its type is read by queries';

/** The fields that no query of the walk reaches, with the reason. */
export const UNREACHED_FIELDS: Record<string, string> = {
  'BookingSeries.bookings': MUTATION_ONLY,
  'BookingSeries.conflicts': MUTATION_ONLY,
  'BookingSeries.id': MUTATION_ONLY,
  'BookingSeries.rule': MUTATION_ONLY,
  'CheckIn.checkOutToken': MUTATION_ONLY,
  'CheckIn.checkedInAt': MUTATION_ONLY,
  'CheckIn.checkedOutAt': MUTATION_ONLY,
  'CheckIn.id': MUTATION_ONLY,
  'CheckIn.label': MUTATION_ONLY,
  'CheckIn.result': MUTATION_ONLY,
  'CheckIn.subject': MUTATION_ONLY,
  'CheckIn.unconfirmed': MUTATION_ONLY,
  'DisplayStatusChanged.at': SUBSCRIPTION_ONLY,
  'DisplayStatusChanged.display': SUBSCRIPTION_ONLY,
  'DisplayStatusChanged.previousStatus': SUBSCRIPTION_ONLY,
  'DisplayStatusChanged.status': SUBSCRIPTION_ONLY,
  'OwnWaitlistEntry.acceptsFewer': ENTRY_SECRET,
  'OwnWaitlistEntry.allowedActions': ENTRY_SECRET,
  'OwnWaitlistEntry.eventStartsAt': ENTRY_SECRET,
  'OwnWaitlistEntry.eventTitle': ENTRY_SECRET,
  'OwnWaitlistEntry.isChangeable': ENTRY_SECRET,
  'OwnWaitlistEntry.maxQuantity': ENTRY_SECRET,
  'OwnWaitlistEntry.offeredQuantity': ENTRY_SECRET,
  'OwnWaitlistEntry.offeredUntil': ENTRY_SECRET,
  'OwnWaitlistEntry.quantity': ENTRY_SECRET,
  'OwnWaitlistEntry.status': ENTRY_SECRET,
  'OwnWaitlistEntry.ticketTypeName': ENTRY_SECRET,
  'OwnWaitlistEntry.timeZone': ENTRY_SECRET,
  'OwnWaitlistEntryActions.change': ENTRY_SECRET,
  'OwnWaitlistEntryActions.leave': ENTRY_SECRET,
  'PersonalDataMention.id': 'needs a text that names a person; it is an id',
  'PersonalDataMention.table': 'needs a text that names a person; it is the name of a table',
  'Query.order': 'needs the secret of the order, which shows its codes',
  'Query.waitlistEntry': ENTRY_SECRET,
  'Subscription.changes': SUBSCRIPTION_ONLY,
  'Subscription.displayStatusChanged': SUBSCRIPTION_ONLY,
  'Subscription.occupancyChanged': SUBSCRIPTION_ONLY,
  'WebhookOwner.apiToken':
    'only owners and managers can follow it, for whom the walk takes two steps',
  'WebhookOwner.staffUser':
    'only owners and managers can follow it, for whom the walk takes two steps',
};
