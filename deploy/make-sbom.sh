#!/bin/sh
# Prints the packages of the service, from package-lock.json, in the CycloneDX format: npm run --silent sbom >sbom.cdx.json
# `npm sbom --omit=dev` would leave out packages that development needs too, such as express. So it reads a copy without
# devDependencies. It needs no network.
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
