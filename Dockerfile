# The service as a container: docker build --tag animal-store .
# Nothing that npm installs runs a script of its own here: none is needed to build or to serve.

# A name that moves on. For a build that can be repeated give it with its digest: docs/operations.md, "Containers".
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
COPY nest-cli.json tsconfig.base.json ./
COPY apps apps
COPY libs libs
# The Nest CLI loads its generators, whatever it is asked for.
COPY tools tools
# Past npm, whose scripts would take the Node of node_modules: it is not installed here.
RUN node node_modules/@nestjs/cli/bin/nest.js build

FROM ${NODE_IMAGE} AS guide
WORKDIR /guide
COPY docs/api/package.json docs/api/package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
COPY docs/api ./
RUN npm run build

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /animal-store
COPY package.json package-lock.json ./
# Not `--omit=dev`: `npm ci` would install what is an optional wish of a dependency and needed in development, as typescript,
# and `npm sbom` leave out what both need, as express. So there is no development here.
RUN npm pkg delete devDependencies && npm install --package-lock-only --offline --ignore-scripts
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
# What is installed, to look it up when a weakness becomes known.
RUN npm sbom --sbom-format=cyclonedx --sbom-type=application >sbom.cdx.json

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 METRICS_HOST=0.0.0.0
WORKDIR /app
COPY --from=dependencies /animal-store/node_modules node_modules
COPY --from=dependencies /animal-store/sbom.cdx.json ./
COPY package.json LICENSE ./
COPY --from=build /app/dist dist
# The guide, which the service serves.
COPY --from=guide /guide/dist docs/api/dist
# By number, so that Kubernetes can tell that it is not root. The files are root's: the service cannot change them.
USER 1000:1000
EXPOSE 3000
# Whether the process answers, and not whether the database does: a restart mends only the first.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --start-interval=1s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself is the first process, so SIGTERM reaches it. SIGUSR1 would open a debugger, to whoever reaches its port.
CMD ["node", "--enable-source-maps", "--disable-sigusr1", "dist/apps/api/src/main.js"]
ARG VERSION=unversioned
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Animal Store" \
  org.opencontainers.image.description="A small HTTP and JSON service that keeps a catalogue of animals for sale" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
