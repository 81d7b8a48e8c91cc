#!/bin/sh
# Prints what the service is made of, as package-lock.json has it, in the CycloneDX format: npm run --silent sbom >sbom.cdx.json
# `npm sbom --omit=dev` would leave out whatever the development needs as well, express among it; so it is asked about a
# copy that knows no development. No network is needed.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
mkdir "$work/animal-store"
cp package.json package-lock.json "$work/animal-store"
cd "$work/animal-store"
npm pkg delete devDependencies
npm install --package-lock-only --offline --ignore-scripts --no-audit --no-fund --silent >/dev/null
npm sbom --package-lock-only --sbom-format=cyclonedx --sbom-type=application
