import { Temporal } from 'temporal-polyfill';
import { v7 } from 'uuid';
import type { Context } from '../context.ts';
import type { MemberStatus, StaffRole } from '../db/generated/enums.ts';
import { toDate } from './calendar.ts';
import type { LocationSlug } from './locations.ts';
import { deriveCode } from './seeded-random.ts';

const demoStaff: readonly { name: string; email: string; role: StaffRole }[] = [
  { name: 'Ada Lindqvist', email: 'ada@example.org', role: 'owner' },
  { name: 'Mona Haddad', email: 'mona@example.org', role: 'manager' },
  { name: 'Fred Osterkamp', email: 'fred@example.org', role: 'front_desk' },
];

type DemoMemberRow = readonly [
  name: string,
  email: string,
  home: LocationSlug,
  company?: string | null,
  status?: MemberStatus,
];

// biome-ignore format: a table reads best with one row a line
const demoMembers: readonly DemoMemberRow[] = [
  ['Ben Okafor', 'ben@example.org', 'kreuzberg', 'Okafor Sound'],
  ['Aylin Demir', 'aylin.demir@example.com', 'kreuzberg', 'Demir & Voss Architects'],
  ['Jonas Voss', 'jonas.voss@example.com', 'kreuzberg', 'Demir & Voss Architects'],
  ['Nguyễn Thị Mai', 'mai.nguyen@example.org', 'kreuzberg', 'Papierkranich'],
  ['Katarzyna Zielińska', 'katarzyna@example.com', 'kreuzberg'],
  ['Lukas Brandt', 'lukas.brandt@example.org', 'kreuzberg', 'Solarverein Süd'],
  ['Zeynep Yıldız', 'zeynep@example.org', 'kreuzberg'],
  ['Oluwaseun Adeyemi', 'seun.adeyemi@example.com', 'kreuzberg', 'Lagos Lines'],
  ['Freya Sørensen', 'freya.sorensen@example.org', 'kreuzberg', 'Fjordlab'],
  ['Mateusz Król', 'mateusz.krol@example.com', 'kreuzberg', 'Fjordlab'],
  ['Samira Rahimi', 'samira.rahimi@example.org', 'kreuzberg'],
  ['Anton Kowalenko', 'anton@example.com', 'kreuzberg', 'Nachtzug Podcasts'],
  ['Hannah Becker', 'hannah.becker@example.org', 'kreuzberg', 'Papierkranich'],
  ['Dmitri Volkov', 'dmitri.volkov@example.com', 'kreuzberg'],
  ['Leïla Benali', 'leila.benali@example.org', 'kreuzberg', 'Atlas Translations'],
  ['Tomáš Novák', 'tomas.novak@example.com', 'kreuzberg', null, 'paused'],
  ['Priya Raghunathan', 'priya.r@example.org', 'kreuzberg', 'Monsoon Analytics'],
  ['Noah Stein', 'noah.stein@example.com', 'kreuzberg'],
  ['Giulia Ferrari', 'giulia.ferrari@example.org', 'kreuzberg', 'Studio Ferrari'],
  ['Kofi Mensah', 'kofi.mensah@example.com', 'kreuzberg', 'Solarverein Süd'],
  ['Sinéad O’Connell', 'sinead@example.org', 'kreuzberg', null, 'former'],
  ['Emre Kaya', 'emre.kaya@example.com', 'kreuzberg'],
  ['Clara Hoffmann', 'clara.hoffmann@example.org', 'kreuzberg', 'Hoffmann Legal', 'former'],
  ['Yuki Tanaka', 'yuki.tanaka@example.com', 'kreuzberg', 'Komorebi Games'],
  ['Jean-Baptiste Moreau', 'jb.moreau@example.org', 'kreuzberg', 'Komorebi Games'],
  ['Inês Carvalho', 'ines.carvalho@example.org', 'alfama', 'Azulejo Digital'],
  ['João Pedro Matos', 'joao.matos@example.com', 'alfama', 'Azulejo Digital'],
  ['Beatriz Nunes', 'beatriz.nunes@example.org', 'alfama'],
  ['Tiago Figueiredo', 'tiago@example.com', 'alfama', 'Maré Surf Maps'],
  ['Amara Diallo', 'amara.diallo@example.org', 'alfama', 'Baobab Films'],
  ['Ewan MacLeod', 'ewan.macleod@example.com', 'alfama'],
  ['Rita Vasconcelos', 'rita.v@example.org', 'alfama', 'Baobab Films'],
  ['Chidi Eze', 'chidi.eze@example.com', 'alfama', 'Harbour Fintech'],
  ['María José Ortega', 'mj.ortega@example.org', 'alfama', null, 'paused'],
  ['Duarte Lemos', 'duarte.lemos@example.com', 'alfama', 'Cortiça Works'],
  ['Sofia Papadopoulou', 'sofia.p@example.org', 'alfama'],
  ['Wei Zhang', 'wei.zhang@example.com', 'alfama', 'Harbour Fintech'],
  ['Mariana Teixeira', 'mariana@example.org', 'alfama', 'Cortiça Works'],
  ['Björn Ásgeirsson', 'bjorn@example.com', 'alfama', null, 'former'],
  ['Noor van der Berg', 'noor.vdberg@example.org', 'alfama', 'Maré Surf Maps'],
];

export type DemoMember = {
  id: string;
  email: string;
  home: LocationSlug;
  status: MemberStatus;
  team: DemoTeam | null;
  joinedAt: Temporal.ZonedDateTime;
};
export type DemoTeam = { id: string; name: string };

export async function addPeople(ctx: Context, passwordHash: string): Promise<DemoMember[]> {
  const now = Temporal.Instant.fromEpochMilliseconds(ctx.now().getTime()).toZonedDateTimeISO('UTC');
  const openedAt = toDate(now.subtract({ years: 2 }));
  await ctx.db.user.createMany({
    data: demoStaff.map((row) => ({
      ...row,
      passwordHash,
      createdAt: openedAt,
      updatedAt: openedAt,
    })),
  });

  const teams = findTeams(demoMembers);
  await ctx.db.team.createMany({
    data: teams.map((team) => ({ ...team, createdAt: openedAt, updatedAt: openedAt })),
  });

  const members = demoMembers.map(([name, email, home, company, status = 'active'], index) => {
    // The newest member joined two months ago, before the oldest booking was created.
    const joinedAt = now.subtract({ days: 60 + ((index * 37) % 600) });
    const hasPhone = index % 3 === 0;
    const team = teams.find(({ name }) => name === company) ?? null;
    return {
      home,
      joinedAt,
      team,
      row: {
        id: v7(),
        name,
        email,
        // These Berlin numbers are reserved for fictional use.
        phone: hasPhone ? `+49 30 23125 ${String(100 + index)}` : null,
        company: company ?? null,
        ...toBilling(home, index),
        status,
        code: deriveCode(email, 10),
        teamId: team?.id ?? null,
        createdAt: toDate(joinedAt),
        updatedAt: toDate(joinedAt),
      },
    };
  });
  await ctx.db.member.createMany({ data: members.map(({ row }) => row) });
  return members.map(({ row: { id, email, status }, ...member }) => ({
    id,
    email,
    status,
    ...member,
  }));
}

/** Streets that do not exist, in the city of the location. */
const toBilling = (home: LocationSlug, index: number) => ({
  ...(home === 'kreuzberg'
    ? { address: `Musterstraße ${index + 1}`, postcode: '10999', city: 'Berlin', country: 'DE' }
    : {
        address: `Rua do Exemplo ${index + 1}`,
        postcode: '1100-000',
        city: 'Lisboa',
        country: 'PT',
      }),
  customerNumber: String(10_001 + index),
});

/** Returns a team for each company with several members. */
function findTeams(rows: readonly DemoMemberRow[]): DemoTeam[] {
  const companies = rows.map(([, , , company]) => company).filter((company) => company != null);
  const shared = companies.filter((company, index) => companies.indexOf(company) < index);
  return [...new Set(shared)].map((name) => ({ id: v7(), name }));
}
