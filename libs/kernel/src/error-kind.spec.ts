import { rootCauseMessage } from './error-kind.js';

function caused(message: string, cause: unknown): Error {
  return new Error(message, { cause });
}

test.each<[string, unknown]>([
  ['alone', new Error('alone')],
  ['innermost', caused('outer', caused('middle', new Error('innermost')))],
  ['first address', caused('outer', new AggregateError([new Error('first address'), new Error('second')], ''))],
  ['no error', caused('outer', 'no error')],
  ['thrown text', 'thrown text'],
])('the root cause is %s', (message, error) => {
  expect(rootCauseMessage(error)).toBe(message);
});
