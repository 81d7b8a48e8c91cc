#!/bin/sh
# Creates the certificates of the tests again, valid for one hundred years: sh test/support/certificates/make.sh
# The certificates and their keys are public, and protect nothing.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

authority() { # file, common name
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj "/CN=$2" \
    -addext basicConstraints=critical,CA:true -addext keyUsage=critical,keyCertSign,cRLSign \
    -keyout "$work/$1.key" -out "$1.crt"
}

certificate() { # file, authority, common name, extensions
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$3" -keyout "$1.key" -out "$work/$1.csr"
  printf '%s\n' "$4" >"$work/$1.ext"
  openssl x509 -req -in "$work/$1.csr" -CA "$2.crt" -CAkey "$work/$2.key" -set_serial "0x$(openssl rand -hex 8)" \
    -days 36500 -extfile "$work/$1.ext" -out "$1.crt"
}

authority authority 'Animal Store tests'
certificate server authority 'the server of the tests' 'subjectAltName=DNS:localhost,IP:127.0.0.1'
certificate wrong-name authority 'the server of the tests' 'subjectAltName=DNS:db.example,IP:192.0.2.1'
certificate client authority postgres 'extendedKeyUsage=clientAuth'
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=localhost \
  -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout self-signed.key -out self-signed.crt
