/** A key that every application in the tests accepts. */
export const TEST_API_KEY = 'a-key-for-tests-only';
