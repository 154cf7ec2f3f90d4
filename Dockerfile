# syntax=docker/dockerfile:1

# Builds and runs Foyer on a maintained LTS release of Node.
#   docker build --tag foyer .
#   docker run --detach --hostname foyer --publish 4000:4000 --volume foyer-data:/data foyer
# docs/guides/running.md explains the settings.

ARG NODE_VERSION=24
FROM node:${NODE_VERSION}-bookworm-slim AS base
WORKDIR /app
ENV NPM_CONFIG_AUDIT=false NPM_CONFIG_FUND=false NPM_CONFIG_UPDATE_NOTIFIER=false

# The packages change less often than the source: copying only their lists keeps these layers in the build cache.
# Install scripts are left out: the only one that is needed, the build, runs by itself further below.
FROM base AS build
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
COPY prisma.config.ts tsconfig.json tsconfig.build.json schema.graphql ./
COPY prisma ./prisma
COPY src ./src
RUN npm run build

# What runs needs no compiler, and no packages of the pages, which the build has put into dist/web. With --omit=dev alone npm
# would keep the command line of Prisma and TypeScript (250 MB), because @prisma/client names them as optional peers. So
# the development packages are taken out of the list first; the versions of all others are still those of the lock file.
FROM base AS packages
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm \
  npm pkg delete devDependencies && npm install --ignore-scripts

FROM base AS runtime
ENV NODE_ENV=production DATA_DIR=/data/main
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY prisma/migrations ./prisma/migrations
COPY package.json LICENSE ./
# The lock of the embedded database lies beside its directory, so the volume holds the directory's parent.
RUN install --directory --owner=node --group=node /data
VOLUME /data
USER node
EXPOSE 4000
# The image has no curl. The process is alive while its database is away, so this asks for /healthz and not for /readyz.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 4000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself is the first process and receives SIGTERM: it finishes the requests in progress, then exits with 0.
CMD ["node", "dist/main.js"]
