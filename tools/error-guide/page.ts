import { BASE_ERROR_CODES, type BaseErrorCode } from '../../libs/http/src/errors/error-codes.ts';
import { ADVICE } from './advice.ts';

const INTRODUCTION = `# Errors

Whatever fails has a status from 400 to 599, and this body:

| member    | what it is                                                              |
| --------- | ----------------------------------------------------------------------- |
| \`code\`    | one of the codes below. It never changes its meaning: programs go by it |
| \`message\` | what is wrong, in English, for people. Its words may change             |
| \`status\`  | the status of the answer                                                |

Be ready for a code that is not listed here: modules of the service bring their own, which its OpenAPI document lists, and
new ones may come. Then go by the status: what begins with 4 is for you to correct, what begins with 5 is not.

An answer without this body is not of the service, but of a proxy on the way: go by its status alone.

Every answer carries \`X-Request-Id\`. Log it with each error: by it the people who run the service find what happened. With the
[client](getting-started.md#5-with-the-client) each error has it:

\`\`\`ts
import { AnimalStore, ApiError } from '@animal-store/client';

const store = new AnimalStore({ baseUrl: process.env.STORE!, apiKey: process.env.KEY! });

try {
  await store.pets.create({ name: ' ', categoryId: 7 });
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.log(error.status, error.code, error.requestId !== '');
}
\`\`\`

\`\`\`text
400 invalid_request true
\`\`\`

## All codes

The third column tells whether the same request may be sent again: _corrected_, when what is wrong was put right; _later_, as it
is, after a while; _with its key_, as well, but an addition only under [the \`Idempotency-Key\` that it had](retries.md); _no_.
`;

/** The page about errors in the guide for consumers: one section for each code, under the code as its anchor. */
export function errorsPage(): string {
  const codes = Object.keys(BASE_ERROR_CODES) as BaseErrorCode[];
  return [INTRODUCTION, table(codes), '', ...codes.map(sectionOf)].join('\n');
}

type Row = readonly [code: string, status: string, sendAgain: string];

function table(codes: readonly BaseErrorCode[]): string {
  const rows = codes.map((code): Row => [
    `[\`${code}\`](#${code})`,
    String(BASE_ERROR_CODES[code].status),
    ADVICE[code].sendAgain,
  ]);
  const head: Row = ['code', 'status', 'send again'];
  const widths = ([0, 1, 2] as const).map((column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const lineOf = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [head, widths.map((width) => '-'.repeat(width)), ...rows].map(lineOf).join('\n');
}

function sectionOf(code: BaseErrorCode): string {
  const { status, meaning } = BASE_ERROR_CODES[code];
  const { when, request, service, answer, todo } = ADVICE[code];
  const noted = service === undefined ? '' : ` service=${service}`;
  const example =
    request === undefined
      ? [`\`\`\`http from=/v1/failing/${code}`, ...answer, '```']
      : [`\`\`\`sh${noted}`, request, '```', '', '```http', ...answer, '```'];
  return [
    `## ${code}`,
    '',
    `**${status}.** ${meaning}`,
    '',
    `**When.** ${when}`,
    '',
    ...example,
    '',
    todo.every((line) => line.startsWith('- '))
      ? `**What to do.**\n\n${todo.join('\n')}`
      : `**What to do.** ${todo.join('\n\n')}`,
    '',
  ].join('\n');
}
