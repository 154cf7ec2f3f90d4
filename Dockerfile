# syntax=docker/dockerfile:1

# Builds and runs Foyer on a maintained LTS release of Node.
#   docker build --tag foyer .
#   docker run --detach --hostname foyer --publish 4000:4000 --volume foyer-data:/data foyer
# docs/guides/running.md explains the settings.

# A tag can change. To build from one fixed image, look up its digest with
#   docker buildx imagetools inspect node:24-bookworm-slim
# and pass --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:…
ARG NODE_VERSION=24
ARG NODE_IMAGE=node:${NODE_VERSION}-bookworm-slim
FROM ${NODE_IMAGE} AS base
WORKDIR /app
ENV NPM_CONFIG_AUDIT=false NPM_CONFIG_FUND=false NPM_CONFIG_UPDATE_NOTIFIER=false

# Packages change less often than the source. Copying only the package lists here keeps these layers in the build cache.
# Install scripts are skipped. The only one that is needed is the build, which runs below.
FROM base AS build
COPY package.json package-lock.json ./
COPY packages/client/package.json ./packages/client/
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
COPY prisma.config.ts tsconfig.json tsconfig.build.json schema.graphql ./
COPY prisma ./prisma
COPY packages ./packages
COPY src ./src
COPY docs ./docs
COPY README.md CHANGELOG.md ./
RUN npm run build

# The runtime image needs no compiler and no frontend packages, because the build has bundled the pages into dist/web.
# npm --omit=dev is not enough: it keeps TypeScript and the Prisma CLI (250 MB), which are optional peers of @prisma/client.
# So this stage removes devDependencies from package.json first. All other versions still come from the lock file.
FROM base AS packages
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm \
  npm pkg delete devDependencies workspaces && npm install --ignore-scripts

FROM base AS runtime
ENV NODE_ENV=production DATA_DIR=/data/main
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY prisma/migrations ./prisma/migrations
COPY package.json LICENSE ./
# The lock file of the embedded database is next to its directory, so the volume contains the parent directory.
RUN install --directory --owner=node --group=node /data
VOLUME /data
USER node
EXPOSE 4000
# The image has no curl. This calls /healthz instead of /readyz, because restarting Foyer does not help while its database
# is down.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 4000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node runs as PID 1, without npm or a shell, so that it receives SIGTERM and shuts down gracefully.
CMD ["node", "dist/main.js"]
