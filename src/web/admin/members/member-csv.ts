import { formatDecimal } from '../../../core/money.ts';
import type { MemberExportQuery } from '../../gql/graphql.ts';

export type ExportedMember = MemberExportQuery['members']['edges'][number]['node'];

/** An import recognizes these columns, so that a list can be changed in a spreadsheet and imported again. */
export const MEMBER_CSV_HEADER = [
  ...['name', 'email', 'phone', 'company', 'address', 'postcode', 'city', 'country'],
  ...['customer_number', 'status', 'team', 'plan', 'start_date', 'end_date', 'plan_price'],
  'currency',
];

export function toMemberCsvLines(member: ExportedMember): string[][] {
  // A plan of the team is not the member's own: an import would add it once more.
  const own = member.currentMembership?.member ? member.currentMembership : null;
  return [
    [
      ...[member.name, member.email, member.phone ?? '', member.company ?? ''],
      ...[member.address ?? '', member.postcode ?? '', member.city ?? '', member.country ?? ''],
      ...[member.customerNumber ?? '', member.status.toLowerCase(), member.team?.name ?? ''],
      ...[own?.plan.name ?? '', own?.startsOn ?? '', own?.endsOn ?? ''],
      ...(own ? [formatDecimal(own.plan.price), own.plan.price.currency] : ['', '']),
    ],
  ];
}
