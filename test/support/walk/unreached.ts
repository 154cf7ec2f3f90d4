const MUTATION_ONLY = 'only mutations return it';
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
  'DisplayStatusChanged.at': SUBSCRIPTION_ONLY,
  'DisplayStatusChanged.display': SUBSCRIPTION_ONLY,
  'DisplayStatusChanged.previousStatus': SUBSCRIPTION_ONLY,
  'DisplayStatusChanged.status': SUBSCRIPTION_ONLY,
  'Query.order': 'needs the secret of the order, which shows its codes',
  'Subscription.changes': SUBSCRIPTION_ONLY,
  'Subscription.displayStatusChanged': SUBSCRIPTION_ONLY,
  'Subscription.occupancyChanged': SUBSCRIPTION_ONLY,
};

/** The fields that are null for all objects and callers of the walk, with the reason. */
export const NULL_FIELDS: Record<string, string> = {};
