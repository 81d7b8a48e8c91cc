#!/bin/sh
# Makes the random secrets that docker-compose.yml mounts, in the folder `secrets`, which git ignores.
# It never replaces them: the database takes its password only at its first start.
set -eu
cd "$(dirname "$0")/.."
if [ -e secrets ]; then
  echo 'The folder secrets is there already: nothing was changed.'
  exit 0
fi

random() {
  od -An -N24 -tx1 /dev/urandom | tr -d ' \n'
}

# Only the owner may enter the folder. The files are readable, because the users inside the containers are not of this machine.
umask 022
mkdir -m 700 secrets
password=$(random)
printf '%s' "$password" >secrets/postgres-password
printf 'postgresql://animal_store:%s@postgres:5432/animal_store' "$password" >secrets/database-url
printf 'compose_%s' "$(random)" >secrets/bootstrap-api-key
echo 'Made secrets/postgres-password, secrets/database-url and secrets/bootstrap-api-key.'
