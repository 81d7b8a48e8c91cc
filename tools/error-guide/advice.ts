import type { BaseErrorCode } from '../../libs/http/src/errors/error-codes.ts';

/** Whether the same request may be sent again, in a few words for the table, and for a program to go by. */
export type SendAgain = 'corrected' | 'later' | 'with its key' | 'no';

/** What the guide for consumers says of a code, beyond its meaning. */
export interface Advice {
  readonly sendAgain: SendAgain;
  /** When it comes: a paragraph. */
  readonly when: string;
  /** A request that gets it; without one the answer is that of a module that fails so. */
  readonly request?: string;
  /** A state of the service in which it does, by its name in the tests of the guide. */
  readonly service?: 'limited' | 'impatient' | 'withoutDatabase';
  /** The answer as `curl --include` shows it, with the header fields that matter. */
  readonly answer: readonly string[];
  /** What to do: paragraphs, or a list. */
  readonly todo: readonly string[];
}

const BEARER = '--header "Authorization: Bearer $KEY"';
const JSON_TYPE = '--header "Content-Type: application/json"';

/** For codes that the catalogue does not send. */
const NOT_YET = 'No operation of the catalogue answers with it today; one that is added may.';

export const ADVICE: Readonly<Record<BaseErrorCode, Advice>> = {
  invalid_request: {
    sendAgain: 'corrected',
    when: `A parameter, a header or a member of the body is missing, wrong, or unknown; the body is no JSON; or a \`cursor\` is not used as
its link gave it. All faults are told at once.`,
    request: `curl --include "$STORE/pets" ${BEARER} ${JSON_TYPE} \\
  --data '{"name": "", "categoryId": "7", "colour": "red"}'`,
    answer: [
      'HTTP/1.1 400 Bad Request',
      '',
      '{"code":"invalid_request","message":"name must contain at least one non-blank character; categoryId must be an integer between -9223372036854775808 and 9223372036854775807, written as a JSON number; unknown member \\"colour\\": allowed are name, categoryId, status","status":400}',
    ],
    todo: [
      'Correct the request; the same one will be refused again. The message names every field and what it must be: show it to whoever typed the values, or log it.',
      'Of a `cursor`: follow the link as it is, or begin again without one.',
    ],
  },
  unauthorized: {
    sendAgain: 'corrected',
    when: `The request carries no API key, or one that is mistyped, revoked, expired, or of another environment; or it carries two. A key is
asked for before anything else, so this says nothing about the address or the body.`,
    request: 'curl --include "$STORE/pets" --header "Authorization: Bearer aslive_mistyped"',
    answer: [
      'HTTP/1.1 401 Unauthorized',
      'WWW-Authenticate: Bearer realm="animal-store", error="invalid_token"',
      '',
      '{"code":"unauthorized","message":"The API key is not valid: send one valid key in one header Authorization: Bearer <API_KEY>","status":401}',
    ],
    todo: [
      '`WWW-Authenticate` tells the two cases apart: with `error="invalid_token"` a key came and is not valid, without it none came. The second is often a redirect or a proxy that dropped the header.',
      'Do not send the request again in a loop. Compare the beginning of the key with the environment that you call, and ask the people who run the service for a new key where it has expired. They can rotate a key so that both work for a while: change it before the old one ends.',
    ],
  },
  forbidden: {
    sendAgain: 'no',
    when: `The key is valid, and may not do this. ${NOT_YET}`,
    answer: ['HTTP/1.1 403 Forbidden', '', '{"code":"forbidden","message":"Forbidden","status":403}'],
    todo: ['Ask the people who run the service for a key that may. Nothing in the request can change it.'],
  },
  not_found: {
    sendAgain: 'no',
    when: 'There is no animal with this id, or nothing at all at this address.',
    request: `curl --include "$STORE/pets/999" ${BEARER}`,
    answer: [
      'HTTP/1.1 404 Not Found',
      '',
      '{"code":"not_found","message":"There is no animal with the id 999","status":404}',
    ],
    todo: [
      '- `There is no animal with the id …`: believe it. An animal that was added is seen by every request that begins after the answer to the addition. If the id passed through a program that rounds, it may be [the id of another animal](integers.md).',
      '- `There is nothing at this address`: look at the path. The base address ends in `/v1`, paths are in lower case, and `/pets/` with a slash at its end is not `/pets`.',
    ],
  },
  method_not_allowed: {
    sendAgain: 'corrected',
    when: 'The address exists, and does not know this method. Animals cannot be changed or deleted through this API.',
    request: `curl --include --request DELETE "$STORE/pets" ${BEARER}`,
    answer: [
      'HTTP/1.1 405 Method Not Allowed',
      'Allow: GET, HEAD, POST, OPTIONS',
      '',
      '{"code":"method_not_allowed","message":"DELETE is not allowed at this address: use one of GET, HEAD, POST, OPTIONS","status":405}',
    ],
    todo: ['Use one of the methods in `Allow`. `OPTIONS` of an address tells them too.'],
  },
  not_acceptable: {
    sendAgain: 'corrected',
    when: `What the request accepts is nothing that the operation can give. ${NOT_YET} The catalogue ignores \`Accept\`, and answers in JSON.`,
    answer: ['HTTP/1.1 406 Not Acceptable', '', '{"code":"not_acceptable","message":"Not Acceptable","status":406}'],
    todo: ['Leave `Accept` out, or let it name `application/json`.'],
  },
  request_timeout: {
    sendAgain: 'later',
    when: `The request did not arrive within 30 seconds, or its header within 15. Nothing was done. The cause is a slow network, or a
program that opened a connection and then stopped.`,
    request: `(printf '{"name": "Rex", '; sleep 40) | curl --include "$STORE/pets" ${BEARER} ${JSON_TYPE} \\
  --request POST --upload-file -`,
    service: 'impatient',
    answer: [
      'HTTP/1.1 408 Request Timeout',
      '',
      '{"code":"request_timeout","message":"The request did not arrive in time","status":408}',
    ],
    todo: [
      'Send it again on a new connection: the service closes this one. Make the whole body before you open the connection.',
    ],
  },
  conflict: {
    sendAgain: 'no',
    when: `The request contradicts the state of what it is about. ${NOT_YET} A second request under an \`Idempotency-Key\` whose first is still
under way does not get it: it waits, and is given the answer of the first.`,
    answer: ['HTTP/1.1 409 Conflict', '', '{"code":"conflict","message":"Conflict","status":409}'],
    todo: ['Read the current state, and decide again. The same request can only succeed once that state has changed.'],
  },
  gone: {
    sendAgain: 'no',
    when: `What the request is about existed once, and will not again. ${NOT_YET}`,
    answer: ['HTTP/1.1 410 Gone', '', '{"code":"gone","message":"Gone","status":410}'],
    todo: [
      'Forget the address, and remove what you keep of it. For an operation, read [Deprecations](deprecations.md).',
    ],
  },
  precondition_failed: {
    sendAgain: 'corrected',
    when: `A condition that the request sets, such as \`If-Match\`, does not hold: somebody else was faster. ${NOT_YET}`,
    answer: [
      'HTTP/1.1 412 Precondition Failed',
      '',
      '{"code":"precondition_failed","message":"Precondition Failed","status":412}',
    ],
    todo: ['Read again, apply your change to what you find, and send it with the new `ETag`.'],
  },
  payload_too_large: {
    sendAgain: 'no',
    when: `The body is larger than the service accepts: 1 MiB, after unpacking, unless the people who run it have set another limit. An animal
takes less than 2 kB, so this is hardly ever an animal.`,
    request: `head -c 2000000 /dev/zero | tr '\\0' ' ' | curl --include "$STORE/pets" ${BEARER} ${JSON_TYPE} \\
  --data-binary @-`,
    answer: [
      'HTTP/1.1 413 Payload Too Large',
      'Connection: close',
      '',
      '{"code":"payload_too_large","message":"The body is larger than 1048576 bytes, the most that is accepted","status":413}',
    ],
    todo: [
      'Send one animal in a request: there is no operation that takes many. The service closes the connection, so that the rest of the body need not be sent.',
    ],
  },
  unsupported_media_type: {
    sendAgain: 'corrected',
    when: `The body does not say that it is JSON, or is packed in a way that the service cannot unpack. curl and many libraries send a form
unless told otherwise.`,
    request: `curl --include "$STORE/pets" ${BEARER} \\
  --data '{"name": "Rex", "categoryId": 7}'`,
    answer: [
      'HTTP/1.1 415 Unsupported Media Type',
      'Accept-Post: application/json',
      '',
      '{"code":"unsupported_media_type","message":"The body must be JSON in UTF-8: send the header Content-Type: application/json","status":415}',
    ],
    todo: [
      'Send `Content-Type: application/json`; the body is UTF-8 in any case. A compressed body is refused: leave `Content-Encoding` out.',
    ],
  },
  unprocessable_content: {
    sendAgain: 'corrected',
    when: `The request is well-formed, and cannot be carried out as it is. ${NOT_YET}`,
    answer: [
      'HTTP/1.1 422 Unprocessable Entity',
      '',
      '{"code":"unprocessable_content","message":"Unprocessable Entity","status":422}',
    ],
    todo: ['The message says what stands in the way. Change the request accordingly.'],
  },
  idempotency_key_reused: {
    sendAgain: 'corrected',
    when: `The \`Idempotency-Key\` stands for another animal: it was used with another body within the last 24 hours, by a holder of the same API
key. Nothing was added.`,
    request: `curl --silent --output /dev/null "$STORE/pets" ${BEARER} ${JSON_TYPE} \\
  --header "Idempotency-Key: order-4711" --data '{"name": "Rex", "categoryId": 7}'
curl --include "$STORE/pets" ${BEARER} ${JSON_TYPE} \\
  --header "Idempotency-Key: order-4711" --data '{"name": "Mia", "categoryId": 7}'`,
    answer: [
      'HTTP/1.1 422 Unprocessable Entity',
      '',
      '{"code":"idempotency_key_reused","message":"The Idempotency-Key was used before with another body: send a new key with a new request","status":422}',
    ],
    todo: [
      'This is nearly always a defect in the program: it takes one key for several additions, or changes the body between two tries. Make a new random key, such as a UUID, for each addition, and keep key and body together until an answer has come: [Retries](retries.md).',
    ],
  },
  rate_limited: {
    sendAgain: 'later',
    when: 'The API key has sent more requests in a minute than it may. Nothing was done for this one.',
    request: `for n in 1 2 3; do curl --silent --include "$STORE/pets" ${BEARER}; done`,
    service: 'limited',
    answer: [
      'HTTP/1.1 429 Too Many Requests',
      'Retry-After: 60',
      'RateLimit-Policy: "default";q=2;w=60',
      'RateLimit: "default";r=0;t=60',
      '',
      '{"code":"rate_limited","message":"This API key may send 2 requests in a minute: try again in 60 s","status":429}',
    ],
    todo: [
      'Wait for as many seconds as `Retry-After` says, and a little more at random where several programs share the key; then send it again. Better, slow down before: every answer tells how many requests are left. [Rate limits](rate-limits.md) shows how.',
    ],
  },
  headers_too_large: {
    sendAgain: 'corrected',
    when: `The header fields of the request, its address among them, are larger than 16 KiB. Often a proxy or a browser has added cookies of
other services.`,
    request: `curl --include "$STORE/pets" ${BEARER} \\
  --header "X-Note: $(head -c 20000 /dev/zero | tr '\\0' x)"`,
    answer: [
      'HTTP/1.1 431 Request Header Fields Too Large',
      'Connection: close',
      '',
      '{"code":"headers_too_large","message":"The header fields of the request are too large","status":431}',
    ],
    todo: ['Send fewer of them: the service needs those of this guide and no other. Do not send cookies.'],
  },
  internal_error: {
    sendAgain: 'with its key',
    when: 'The service has a defect, and has logged it. Whether the request was carried out is not known.',
    answer: [
      'HTTP/1.1 500 Internal Server Error',
      'X-Request-Id: 6d0c1f6a2b7f4c0e9a1d3b5c7e9f0a12',
      '',
      '{"code":"internal_error","message":"The service failed to handle the request","status":500}',
    ],
    todo: [
      'Report it to the people who run the service, with the `X-Request-Id` of the answer: by it they find the cause. The same request will likely fail again, so do not send it in a loop. An addition may be tried once more, with [the `Idempotency-Key` that it had](retries.md).',
    ],
  },
  not_implemented: {
    sendAgain: 'no',
    when: `The service cannot do this yet. ${NOT_YET}`,
    answer: ['HTTP/1.1 501 Not Implemented', '', '{"code":"not_implemented","message":"Not Implemented","status":501}'],
    todo: ['Do without it, and look in the [changelog](changelog.md) from time to time.'],
  },
  bad_gateway: {
    sendAgain: 'with its key',
    when: `Another service that is needed gave no usable answer. ${NOT_YET} A proxy in front of the service may send the status 502, with a body
of its own.`,
    answer: ['HTTP/1.1 502 Bad Gateway', '', '{"code":"bad_gateway","message":"Bad Gateway","status":502}'],
    todo: [
      'As for [503](#service_unavailable). Where the body is not JSON, it is not of this service: go by the status.',
    ],
  },
  service_unavailable: {
    sendAgain: 'with its key',
    when: `The service cannot work now: its database is away, it has too much to do, or it is being stopped for a new version. A list was not
made; an addition **may have been** carried out where the database went away in the middle of it.`,
    request: `curl --include "$STORE/pets" ${BEARER}`,
    service: 'withoutDatabase',
    answer: [
      'HTTP/1.1 503 Service Unavailable',
      'Retry-After: 1',
      '',
      '{"code":"service_unavailable","message":"The database is not available at the moment: try again later","status":503}',
    ],
    todo: [
      'Wait for as many seconds as `Retry-After` says, and send it again, a few times, with [growing waits](retries.md). An addition is sent again with the `Idempotency-Key` that it had; one without a key cannot be sent again safely.',
    ],
  },
  gateway_timeout: {
    sendAgain: 'with its key',
    when: `Another service that is needed gave no answer in time. ${NOT_YET} A proxy in front of the service may send the status 504, with a body of
its own.`,
    answer: ['HTTP/1.1 504 Gateway Timeout', '', '{"code":"gateway_timeout","message":"Gateway Timeout","status":504}'],
    todo: ['As for [503](#service_unavailable): the request may have been carried out behind the proxy all the same.'],
  },
};
