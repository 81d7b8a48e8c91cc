import { nextPage } from '../support/pages.js';
import { TEST_API_KEY } from '../support/test-api-key.js';
import { authorizedBy, AUTHORIZATION, type HttpRequest } from './http-request.js';
import { createdId, type SentRequest, type Step } from './transcript.js';

/** A number with fewer digits may be something else in a request, such as a limit: it is written unchanged. */
const MIN_DIGITS = 7;

/** In bytes. Linux refuses a longer argument; `printf` can write it, because `printf` is a part of the shell. */
const MAX_ARGUMENT = 100_000;

const FUNCTIONS = String.raw`
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT

# send NUMBER URL [OPTIONS]: sends a request, and keeps its answer.
send() {
  number=$1
  shift
  status=$(curl --silent --show-error --http1.1 --globoff --path-as-is --max-time 30 --header 'Expect:' \
    --dump-header "$folder/$number.head" --output "$folder/$number.body" --write-out '%{http_code}' --url "$@")
}

# call NUMBER URL [OPTIONS]: the same, and prints its number, the status and the body of the answer.
call() {
  send "$@"
  printf '%s %s %s\n' "$1" "$status" "$(cat "$folder/$1.body" 2>/dev/null)"
}

# call_head NUMBER URL [OPTIONS]: the same by HEAD, whose answer has no body.
call_head() {
  send "$@" --head
  printf '%s %s \n' "$1" "$status"
}

# id_of NUMBER: the id in the body of an answer.
id_of() { sed -n 's/^{"id":\([0-9]*\)[,}].*/\1/p' "$folder/$1.body"; }

# next_of NUMBER: where an answer says that the next page is.
next_of() { sed -n 's/^[Ll]ink: <\([^>]*\)>; rel="next".*/\1/p' "$folder/$1.head"; }

# restart INSTANCE: waits until somebody has done it.
restart() {
  printf 'Restart instance %s, and press Enter\n' "$1" >&2
  read -r _
}
`;

/**
 * A script for `sh` that repeats the steps by curl. The script takes ids and pages that answers named from the answers that
 * it receives.
 *
 * @param preparation a sentence that says what to do to the database first
 */
export function curlScript(steps: readonly Step[], preparation?: string): string {
  const known = new KnownAnswers();
  return framed(
    steps.map((step, index) => {
      if (step.kind === 'restart') return `restart ${step.instance + 1}`;
      const line = curlCall(index + 1, step.instance, step.request, known);
      known.add(index + 1, step);
      return line;
    }),
    preparation,
  );
}

/** Like {@link curlScript}, for clients that send at the same time. Each client sends one request after the other. */
export function concurrentCurlScript(clients: readonly (readonly Step[])[], preparation?: string): string {
  const lines = clients.flatMap((steps, client) => [
    `( # client ${client + 1}`,
    ...steps.map((step, index) => {
      if (step.kind === 'restart') return `  restart ${step.instance + 1}`;
      return `  ${curlCall((client + 1) * 100 + index + 1, step.instance, step.request, new KnownAnswers())}`;
    }),
    ') &',
  ]);
  return framed([...lines, 'wait'], preparation);
}

/** Sends the bytes of standard input, and prints what arrives within two seconds. */
const SEND_BYTES = [
  'const { hostname, port } = new URL(process.argv[1])',
  'const socket = require("node:net").connect(port, hostname)',
  'process.stdin.pipe(socket, { end: false })',
  'socket.pipe(process.stdout)',
  'setTimeout(() => process.exit(), 2000).unref()',
  'socket.on("close", () => process.exit())',
].join('; ');

/** A script for `sh` that sends bytes by Node, because curl would not send such a request. */
export function bytesScript(bytes: Buffer): string {
  return [
    '#!/bin/sh',
    'ONE=${ONE:-http://127.0.0.1:3000} # the instance',
    `printf ${octal(bytes)} | node -e ${quoted(SEND_BYTES)} "$ONE"`,
    '',
  ].join('\n');
}

/**
 * A word of the shell for a text of the characters U+0000 to U+00FF. A shell word cannot contain NUL. A word with characters that are
 * not printable cannot end with a line break either: no field of a request has one.
 */
export function quoted(text: string): string {
  if (isPrintable(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return `"$(printf ${octal(Buffer.from(text, 'latin1'))})"`;
}

function isPrintable(text: string): boolean {
  return /^[\n\x20-\x7e]*$/.test(text);
}

function framed(lines: readonly string[], preparation: string | undefined): string {
  return [
    '#!/bin/sh',
    ...(preparation === undefined ? [] : [`# ${preparation}`]),
    'ONE=${ONE:-http://127.0.0.1:3000} # the first instance',
    'TWO=${TWO:-$ONE} # the second one',
    `KEY=\${KEY:?set KEY to an API key}`,
    FUNCTIONS,
    ...lines,
    '',
  ].join('\n');
}

function curlCall(
  number: number,
  instance: number,
  { method, target, fields, body }: HttpRequest,
  known: KnownAnswers,
) {
  const url = `"${instance === 0 ? '$ONE' : '$TWO'}"${known.word(target)}`;
  const words =
    method === 'HEAD' ? [`call_head ${number} ${url}`] : [`call ${number} ${url} --request ${quoted(method)}`];
  for (const [name, value] of fields) words.push(`--header ${fieldWord(name, value)}`);
  if (body === undefined) return words.join(' ');
  // By default, curl would send the content type of a form.
  if (!fields.some(([name]) => name.toLowerCase() === 'content-type')) words.push("--header 'Content-Type:'");
  const text = body.toString('latin1');
  if (body.length > MAX_ARGUMENT || !isPrintable(text)) {
    return `printf ${octal(body)} | ${words.join(' ')} --data-binary @-`;
  }
  return [...words, `--data-raw ${known.word(text)}`].join(' ');
}

function fieldWord(name: string, value: string): string {
  if (name === AUTHORIZATION && value === authorizedBy(TEST_API_KEY)[1]) return `"${AUTHORIZATION}: Bearer $KEY"`;
  return quoted(value === '' ? `${name};` : `${name}: ${value}`);
}

/** The bytes for `printf`: every byte is escaped, except for letters, digits and a few marks. */
function octal(bytes: Buffer): string {
  const text = [...bytes].map((byte) => {
    const character = String.fromCharCode(byte);
    return /[ -$&(-,.-[\]-~]/.test(character) ? character : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `'${text.join('')}'`;
}

/** The ids and pages that answers named and that later requests use. */
class KnownAnswers {
  private readonly expressions = new Map<string, string>();

  add(number: number, { answer }: SentRequest): void {
    if (answer === undefined) return;
    const id = createdId(answer);
    if (id !== undefined && id.length >= MIN_DIGITS && !this.expressions.has(id)) {
      this.expressions.set(id, `$(id_of ${number})`);
    }
    const next = nextPage(answer);
    if (next !== undefined) this.expressions.set(next, `$(next_of ${number})`);
  }

  /** The text as a word, in which known ids and pages are taken from the answers. */
  word(text: string): string {
    const page = this.expressions.get(text);
    if (page !== undefined) return `"${page}"`;
    const parts = text.split(/(?<![0-9])(?<digits>[0-9]+)(?![0-9])/);
    const words = parts.map((part) => {
      const id = this.expressions.get(part);
      return id === undefined ? { text: part } : { expression: id };
    });
    const joined: string[] = [];
    let literal = '';
    for (const { text: own = '', expression } of words) {
      if (expression === undefined) {
        literal += own;
        continue;
      }
      if (literal !== '') joined.push(quoted(literal));
      joined.push(`"${expression}"`);
      literal = '';
    }
    return [...joined, ...(literal === '' && joined.length > 0 ? [] : [quoted(literal)])].join('');
  }
}
