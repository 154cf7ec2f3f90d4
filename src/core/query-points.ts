/** The points that a GraphQL query can cost at most. The budgets in the settings must afford one such query. */
export const MAX_QUERY_COST = 2_000;
