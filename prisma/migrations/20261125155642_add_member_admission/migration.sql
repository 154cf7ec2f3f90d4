-- CreateEnum
CREATE TYPE "member_admission" AS ENUM ('with_membership', 'all');

-- AlterTable
ALTER TABLE "locations" ADD COLUMN     "member_admission" "member_admission" NOT NULL DEFAULT 'with_membership';

-- A space without memberships does not use plans, and would otherwise reject all its members.
UPDATE locations SET member_admission = 'all' WHERE NOT EXISTS (SELECT FROM memberships);
