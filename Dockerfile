# docker build --tag animal-store .
# npm runs no scripts of packages here: neither the build nor the service needs one.

# A tag can move to another image. For a build that can be repeated, name the image by its digest: node@sha256:…
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
COPY nest-cli.json tsconfig.base.json ./
COPY apps apps
COPY libs libs
# The Nest CLI loads its generators for every command.
COPY tools tools
# Without `npm run`, which would use the Node of node_modules: --ignore-scripts leaves it out.
RUN node node_modules/@nestjs/cli/bin/nest.js build

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /animal-store
COPY package.json package-lock.json ./
# Not `--omit=dev`: `npm ci` would install development packages that a dependency names as optional peers, such as typescript, and
# `npm sbom` would leave out packages that both need, such as express. So the development packages are removed first.
RUN npm pkg delete devDependencies && npm install --package-lock-only --offline --ignore-scripts
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
# The list of all packages in the image, for the day on which a weakness becomes known.
RUN npm sbom --sbom-format=cyclonedx --sbom-type=application >sbom.cdx.json

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 METRICS_HOST=0.0.0.0
WORKDIR /app
COPY --from=dependencies /animal-store/node_modules node_modules
COPY --from=dependencies /animal-store/sbom.cdx.json ./
COPY package.json LICENSE ./
COPY --from=build /app/dist dist
# A number, so that Kubernetes can tell that it is not root. The files belong to root: the service cannot change them.
USER 1000:1000
EXPOSE 3000
# Checks the process and not the database: a restart repairs only the process.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --start-interval=1s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself is the first process, so it gets SIGTERM. Without the option, SIGUSR1 would open a debugger.
CMD ["node", "--enable-source-maps", "--disable-sigusr1", "dist/apps/api/src/main.js"]
ARG VERSION=unversioned
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Animal Store" \
  org.opencontainers.image.description="A small HTTP and JSON service that keeps a catalogue of animals for sale" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
